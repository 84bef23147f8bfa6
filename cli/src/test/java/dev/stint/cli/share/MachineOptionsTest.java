package dev.stint.cli.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.MachineLimits;
import dev.stint.embedded.share.PodPermissions;
import dev.stint.runner.device.Devices;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.spec.ResourceAmount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The limits of a command that takes a data directory over. */
class MachineOptionsTest {
  private static final Devices GPUS = Devices.NONE.with("example.com/gpu", List.of("4", "7"));
  private static final LogLimits LOGS = new LogLimits(1 << 20, Duration.ofHours(3), 7);
  private static final MachineLimits EARLIER =
      new MachineLimits(3, 2000, 1 << 30, GPUS, Duration.ofSeconds(9), LOGS);

  private static HolderInfo holder(@Nullable MachineLimits limits, PodPermissions permissions) {
    return new HolderInfo(7, "run", "process", "", limits, permissions);
  }

  @Test
  void thoseOfTheHolderBeforeHold() {
    MachineOptions options = TestMachine.options().after(holder(EARLIER, PodPermissions.NONE));
    assertThat(options.limits()).isEqualTo(EARLIER);
    assertThat(options.pods().machine())
        .isEqualTo(new ResourceAmount(2000, 1 << 30, Map.of("example.com/gpu", 2L)));
    assertThat(options.pods().inputsTimeout()).isEqualTo(Duration.ofSeconds(9));
    assertThat(options.pods().logs()).isEqualTo(LOGS);
  }

  @Test
  void thoseThatTheUserHasNamedHold() {
    MachineOptions own =
        TestMachine.options(
            "--max-pods",
            "--machine-cpu",
            "--machine-memory",
            "--device",
            "--inputs-timeout",
            "--max-log-size",
            "--keep-logs",
            "--keep-logs-size");
    assertThat(own.after(holder(EARLIER, PodPermissions.NONE))).isEqualTo(own);
    assertThat(
            TestMachine.options("--max-pods").after(holder(EARLIER, PodPermissions.NONE)).limits())
        .isEqualTo(new MachineLimits(10, 2000, 1 << 30, GPUS, Duration.ofSeconds(9), LOGS));
    assertThat(
            TestMachine.options("--keep-logs")
                .after(holder(EARLIER, PodPermissions.NONE))
                .pods()
                .logs())
        .isEqualTo(new LogLimits(1 << 20, LogLimits.DEFAULT.age(), 7));
  }

  @Test
  void withoutAHolderBeforeItsOwnHold() {
    MachineOptions own = TestMachine.options();
    assertThat(own.after(holder(null, PodPermissions.NONE))).isEqualTo(own);
  }

  @Test
  void theDirectoriesOfTheHolderBeforeHold() {
    PodPermissions permissions =
        new PodPermissions(Map.of("models", Path.of("/srv")), List.of(Path.of("/data")), true);
    MachineOptions after = TestMachine.options().after(holder(EARLIER, permissions));
    assertThat(after.pods().permissions()).isEqualTo(permissions);
    assertThat(after.after(holder(EARLIER, PodPermissions.NONE)).pods().permissions())
        .isEqualTo(permissions);
  }
}
