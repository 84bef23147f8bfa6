package dev.stint.runner.process.shim;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system, which a test can fill. Only root can mount it. */
public final class FullDisk implements AutoCloseable {
  private final Path place;

  public FullDisk(Path place) throws IOException {
    this.place = Files.createDirectory(place);
    assumeTrue(
        run("mount", "-n", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place.toString()) == 0,
        "NOT TESTED: this user may not mount a file system");
  }

  /** Returns the command of a shell that takes all of its space, and says nothing. */
  public String fill() {
    return "cat /dev/zero >" + place + "/filled 2>/dev/null";
  }

  /** Frees the space again. */
  public void empty() throws IOException {
    Files.delete(place.resolve("filled"));
  }

  @Override
  public void close() throws IOException {
    run("umount", "-n", "-l", place.toString());
  }

  private static int run(String... words) throws IOException {
    try {
      return new ProcessBuilder(words).inheritIO().start().waitFor();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
