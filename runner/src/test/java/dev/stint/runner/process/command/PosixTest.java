package dev.stint.runner.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.library.LibraryFunction;
import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The start of processes with a C library that cannot close all descriptors at once. */
class PosixTest {
  private static final LibraryFunction DUP2 = LibraryFunction.of("dup2");

  @Test
  void noProcessIsStartedIfTheOpenDescriptorsAreUnknown() {
    assertThat(
            Posix.spawn(
                null,
                List.of("/bin/true"),
                List.of(),
                (actions, from) -> Posix.closeListed(actions, from, null)))
        .isEqualTo(-Posix.EMFILE);
  }

  @Test
  void aDescriptorThatWasOpenedAfterTheListIsNotInherited() {
    String[] open = Objects.requireNonNull(new File("/proc/self/fd").list());
    int late =
        Stream.of(open).mapToInt(Integer::parseInt).max().orElseThrow() + Posix.OPENED_MEANWHILE;
    assertThat(DUP2.call(0, late)).isEqualTo(late);
    try {
      assertThat(code("[ -e /proc/$$/fd/" + late + " ]", (_, _) -> 0)).isZero();
      assertThat(
              code(
                  "[ ! -e /proc/$$/fd/" + late + " ] && [ -e /proc/$$/fd/2 ]",
                  (actions, from) -> Posix.closeListed(actions, from, open)))
          .isZero();
    } finally {
      assertThat(Posix.close(late)).isZero();
    }
  }

  private static int code(String script, Posix.Closing closing) {
    int pid = Posix.spawn(null, List.of("/bin/sh", "-c", script), List.of(), closing);
    assertThat(pid).isPositive();
    return Posix.await(pid).orElseThrow().code();
  }
}
