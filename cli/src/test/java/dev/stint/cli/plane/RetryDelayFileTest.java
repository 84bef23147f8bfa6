package dev.stint.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.data.DataDirectory;
import dev.stint.model.ExponentialBackoff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetryDelayFileTest {
  @TempDir private Path data;

  @Test
  void aDelayIsReadAsItWasRecorded() throws Exception {
    ExponentialBackoff delay =
        new ExponentialBackoff(Duration.ofMillis(1500), Duration.ofMinutes(3));
    assertThat(RetryDelayFile.read(data)).isEmpty();
    try (DataDirectory directory = DataDirectory.open(data.resolve("d"))) {
      RetryDelayFile.record(delay, directory);
      assertThat(RetryDelayFile.read(directory.path())).contains(delay);
      Files.writeString(directory.path().resolve("retry-delay"), "soon");
      assertThat(RetryDelayFile.read(directory.path())).isEmpty();
      Files.writeString(directory.path().resolve("retry-delay"), "soon later");
      assertThat(RetryDelayFile.read(directory.path())).isEmpty();
    }
  }
}
