package dev.stint.jobs.attempts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogTailsTest {
  /** A log that comes in these pieces, each several times. */
  private record Pieces(int times, String... pieces) implements LogSource {
    @Override
    public void copy(
        ContainerAttemptView attempt,
        boolean latest,
        View view,
        @Nullable CompletableFuture<?> follow,
        Out out)
        throws IOException {
      for (String piece : pieces) {
        byte[] bytes = piece.getBytes(UTF_8);
        for (int i = 0; i < times; i++) {
          out.write(bytes);
        }
      }
      out.finish();
    }
  }

  private static List<String> tail(String... pieces) {
    return read(new Pieces(1, pieces));
  }

  private static List<String> read(LogSource log) {
    ContainerAttemptView attempt =
        ContainerAttemptView.unnumbered(0, "hello-0-a", "main", 0).withStart(Instant.EPOCH);
    return LogTails.read(log, attempt, 5);
  }

  /** Returns the bytes that this thread allocated; it does all the work. */
  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void linesAreTheSameHoweverTheyArrive() {
    assertThat(tail("o", "ne\n\ntwo\r", "\nthree\rfour\n", "fi", "ve"))
        .containsExactly("one", "", "two", "three", "four", "five");
    assertThat(tail()).isEmpty();
  }

  @Test
  void aLongLineIsCut() {
    assertThat(tail("é".repeat(500) + "\n" + "é".repeat(501) + "\n", "€".repeat(1 << 20), "\nlast"))
        .containsExactly("é".repeat(500), "é".repeat(500) + "…", "€".repeat(500) + "…", "last");
  }

  @Test
  void ofALongLineThatOverwritesItselfTheEndIsKept() {
    String progress = "progress\r".repeat(LineBeginnings.LONGEST);
    assertThat(tail(progress + "error: no space\n", "next")).endsWith("error: no space", "next");
    assertThat(tail(progress + "done\r\n")).endsWith("done").doesNotContain("");
  }

  @Test
  void aLineThatIsLargerThanTheMemoryTakesLittleOfIt() {
    LogSource log = new Pieces(1000, "x".repeat(64 << 10));
    long before = allocated();
    assertThat(read(log)).containsExactly("x".repeat(500) + "…");
    assertThat(allocated() - before).isLessThan(1 << 20);
  }
}
