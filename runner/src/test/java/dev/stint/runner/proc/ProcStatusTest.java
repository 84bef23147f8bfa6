package dev.stint.runner.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcStatusTest {
  @Test
  void readsTheEffectiveIdentityAndTheUmask() {
    ProcStatus status =
        ProcStatus.parse(
            List.of(
                "Name:\tjava",
                "Umask:\t0027",
                "Uid:\t1\t2\t3\t4",
                "Gid:\t5\t6\t7\t8",
                "Groups:\t10 20 ",
                "VmHWM:\t    1234 kB",
                "CapEff:\t000001ffffffffff"));
    assertThat(status.umask()).isEqualTo("0027");
    assertThat(status.realUser()).isEqualTo(1);
    assertThat(status.user()).isEqualTo(2);
    assertThat(status.group()).isEqualTo(6);
    assertThat(status.groups()).containsExactlyInAnyOrder(10L, 20L);
    assertThat(status.capabilities()).isEqualTo(0x1ff_ffff_ffffL);
    assertThat(status.highestResidentBytes()).isEqualTo(1234 * 1024);
  }

  @Test
  void aFieldThatTheKernelDoesNotShowIsEmpty() {
    ProcStatus status = ProcStatus.parse(List.of("Groups:\t", "no field"));
    assertThat(status.groups()).isEmpty();
    assertThat(status.umask()).isEmpty();
    assertThat(status.capabilities()).isZero();
    assertThat(status.highestResidentBytes()).isZero();
  }

  @Test
  void thisProcessIsTheOneWithItsNumber() throws IOException {
    ProcStatus own = ProcStatus.own();
    assertThat(own.user()).isEqualTo(ProcStatus.of(ProcessHandle.current().pid()).user());
    assertThat(own.user())
        .isEqualTo(((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue());
  }
}
