package dev.stint.runner.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoopbackAddressTest {
  @Test
  void aNameHasAlwaysTheSameAddressUnlessThatIsTaken() {
    String address = LoopbackAddress.of("team/job-0", Set.of());
    assertThat(LoopbackAddress.of("team/job-0", Set.of())).isEqualTo(address);
    String other = LoopbackAddress.of("team/job-0", Set.of(address));
    assertThat(other).isNotEqualTo(address);
    assertThat(LoopbackAddress.isOne(other)).isTrue();
  }

  @Test
  void addressesAreOfTheirRangeAndEachNameHasItsOwn() {
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < 2000; i++) {
      String address = LoopbackAddress.of("team/job-" + i, taken);
      assertThat(address).matches("127\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\..*");
      assertThat(address).doesNotEndWith(".0").doesNotEndWith(".255");
      assertThat(LoopbackAddress.isOne(address)).isTrue();
      assertThat(taken.add(address)).isTrue();
    }
  }

  @Test
  void otherAddressesAreNotOfTheRange() {
    for (String text : new String[] {"127.0.0.1", "127.128.0.1", "10.0.0.1", "::1", "", "a.b"}) {
      assertThat(LoopbackAddress.isOne(text)).as(text).isFalse();
    }
  }
}
