package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataLayout;
import dev.stint.model.ExponentialBackoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A file of the data directory with the delays after which failed pods are replaced, so that other
 * commands know how long a Job waits.
 */
public final class RetryDelayFile {
  private RetryDelayFile() {}

  /** Records the delays of the command that holds the directory. */
  static void record(ExponentialBackoff delay, DataDirectory directory) {
    Path file = directory.layout().retryDelay();
    try {
      Files.writeString(file, delay.base() + " " + delay.max() + "\n");
    } catch (IOException fault) {
      throw new UserException("cannot write " + file + ": " + fault.getMessage());
    }
  }

  /**
   * Returns the delays of the command that holds a data directory, or did last; empty if they are
   * unknown.
   */
  public static Optional<ExponentialBackoff> read(Path data) {
    try {
      String[] words = Files.readString(new DataLayout(data).retryDelay()).strip().split(" ");
      return words.length == 2
          ? Optional.of(new ExponentialBackoff(Duration.parse(words[0]), Duration.parse(words[1])))
          : Optional.empty();
    } catch (IOException | java.time.format.DateTimeParseException unknown) {
      return Optional.empty();
    }
  }
}
