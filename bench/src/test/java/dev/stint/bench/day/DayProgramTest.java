package dev.stint.bench.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DayProgramTest {
  @TempDir private Path directory = Path.of("");

  private Path picture() {
    return directory.resolve("day.svg");
  }

  @Test
  void withoutSamplesNothingIsGood() throws Exception {
    Files.writeString(Hour.samples(directory), Sample.HEADER + "\n");
    assertThat(DayProgram.judge(directory)).isFalse();
    assertThat(picture()).doesNotExist();
  }

  @Test
  void fewSamplesAreDrawn() throws Exception {
    Sample sample = new Sample(60, Map.of(Figure.CREATED, 3.0));
    Files.writeString(Hour.samples(directory), Sample.HEADER + "\n" + sample.line() + "\n");
    assertThat(DayProgram.judge(directory)).isTrue();
    assertThat(picture()).content().contains("3 Jobs in 1 minutes");
  }
}
