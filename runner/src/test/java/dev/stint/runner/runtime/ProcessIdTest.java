package dev.stint.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdTest {
  private static final ProcessId ID = ProcessId.of("boot", "uid", "main", 12);

  @Test
  void isReadBackAsItWasWritten() {
    assertThat(ID).hasToString("process://boot/uid/main/12");
    assertThat(ProcessId.of(ID.toString())).contains(ID);
    assertThat(ID.number()).isEqualTo(12);
    for (String other :
        new String[] {"", "docker://abc", "process://main/1", "process://a/b/c/d"}) {
      assertThat(ProcessId.of(other)).isEmpty();
    }
  }

  @Test
  void anIdOfAnEarlierVersionIsOfNoKnownBoot() {
    ProcessId earlier = ProcessId.of("process://uid/main/12").orElseThrow();
    assertThat(earlier.isOfAnotherBoot("boot")).isFalse();
    assertThat(earlier.isSameRun(ID)).isTrue();
    assertThat(ProcessId.of("process://uid/main/1").orElseThrow().isSameRun(ID)).isFalse();
  }

  @Test
  void theRunsOfTwoBootsDiffer() {
    ProcessId other = ProcessId.of("other", "uid", "main", 12);
    assertThat(other.isOfAnotherBoot("boot")).isTrue();
    assertThat(ID.isOfAnotherBoot("boot")).isFalse();
    assertThat(other.isSameRun(ID)).isFalse();
  }
}
