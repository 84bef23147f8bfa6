package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileTest {
  private static final Instant END = Instant.parse("2026-11-29T12:00:00Z");

  @TempDir private Path work;

  @Test
  void onlyWhatEndedInTheLastBootHasFinishedForCertain() throws Exception {
    JobFile file = UpRound.file(work, JobFile.NO_IMAGE);
    String boots = "a.1 begin\na.1 end\nb.1 begin\nb.1 1\nb.1 end\n";
    Files.setLastModifiedTime(Files.writeString(file.file("job", 0), boots), FileTime.from(END));
    assertThat(file.finished("job", "b", END.plusMillis(1)))
        .containsOnlyKeys(0)
        .containsEntry(0, 2);
    assertThat(file.finished("job", "c", END.plusMillis(1))).isEmpty();
    assertThat(file.finished("job", "b", END)).isEmpty();
  }
}
