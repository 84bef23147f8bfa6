package dev.stint.runner.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DevicePoolTest {
  private static final Devices GPUS = Devices.NONE.with("gpu", List.of("0", "1", "2"));

  private final DevicePool<String> pool = new DevicePool<>(GPUS);

  @Test
  void eachUserHasDevicesOfItsOwn() {
    assertThat(pool.take("a", Map.of("gpu", 2L)).of("gpu")).containsExactly("0", "1");
    assertThat(pool.take("b", Map.of("gpu", 1L)).of("gpu")).containsExactly("2");
    assertThat(pool.take("c", Map.of("gpu", 1L)).of("gpu")).isEmpty();
    pool.release("a");
    assertThat(pool.take("d", Map.of("gpu", 1L)).of("gpu")).containsExactly("0");
  }

  @Test
  void anUnknownResourceHasNoDevices() {
    assertThat(pool.take("a", Map.of("fpga", 1L))).isEqualTo(Devices.NONE);
  }

  @Test
  void aUserKeepsItsDevicesUnlessTheyDoNotExistOrAreTaken() {
    pool.take("a", Map.of("gpu", 1L));
    Devices claimed = Devices.NONE.with("gpu", List.of("0", "2", "7")).with("fpga", List.of("0"));
    assertThat(pool.takeOver("b", claimed, Map.of("gpu", 3L, "fpga", 1L)))
        .isEqualTo(Devices.NONE.with("gpu", List.of("2")));
    assertThat(pool.take("c", Map.of("gpu", 1L)).of("gpu")).containsExactly("1");
  }

  @Test
  void aUserKeepsNoMoreDevicesThanItAskedFor() {
    Devices claimed = Devices.NONE.with("gpu", List.of("2", "2", "1", "0"));
    assertThat(pool.takeOver("a", claimed, Map.of("gpu", 2L)).of("gpu")).containsExactly("2", "1");
    assertThat(pool.takeOver("b", claimed, Map.of())).isEqualTo(Devices.NONE);
    assertThat(pool.take("c", Map.of("gpu", 1L)).of("gpu")).containsExactly("0");
  }
}
