package dev.stint.embedded.bench;

import java.io.IOException;
import java.util.OptionalDouble;

/**
 * How fast this machine runs the same commands where nobody keeps account of them: the bound of
 * what can be had.
 */
final class Xargs {
  private Xargs() {}

  /** Commands a second, {@code parallelism} at a time; empty where there is no such program. */
  static OptionalDouble perSecond(long commands, int parallelism)
      throws IOException, InterruptedException {
    String line = "seq %d | xargs -P %d -n 1 true".formatted(commands, parallelism);
    long start = System.nanoTime();
    int status =
        new ProcessBuilder("/bin/sh", "-c", line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    double seconds = (System.nanoTime() - start) / 1e9;
    return status == 0 ? OptionalDouble.of(commands / seconds) : OptionalDouble.empty();
  }
}
