package dev.stint.bench.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DayOptionsTest {
  @TempDir private Path directory = Path.of("");

  private static DayOptions parse(String... flags) {
    return DayOptions.parse(Path.of("/tmp/day"), List.of(flags));
  }

  @Test
  void flagsChangeOneValueEach() {
    assertThat(parse())
        .isEqualTo(new DayOptions(Path.of("/tmp/day"), 200_000, Duration.ofMinutes(60)));
    assertThat(parse("--minutes", "2", "--jobs", "7", "--out", "/tmp/a/../b"))
        .isEqualTo(new DayOptions(Path.of("/tmp/b"), 7, Duration.ofMinutes(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--minutes x | --minutes: \"x\" is no positive whole number",
        "--minutes 0 | --minutes: \"0\" is no positive whole number",
        "--jobs -1 | --jobs: \"-1\" is no positive whole number",
        "--jobs 9999999999 | --jobs: \"9999999999\" is no positive whole number",
        "--jobs | --jobs: missing value",
        "--jobs 5 --out | --out: missing value",
        "--hours 1 | --hours: no such flag",
      })
  void aFaultNamesItsFlag(String flags, String message) {
    assertThatThrownBy(() -> parse(flags.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void onlyAnEmptyDirectoryOrAnEarlierRunIsDeleted() throws Exception {
    assertThatCode(parse("--out", directory.resolve("new").toString())::checkOut)
        .doesNotThrowAnyException();
    DayOptions options = parse("--out", directory.toString());
    assertThatCode(options::checkOut).doesNotThrowAnyException();

    Path file = Files.writeString(directory.resolve("mine"), "");
    assertThatThrownBy(options::checkOut)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--out: " + directory + " is no empty directory")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(parse("--out", file.toString())::checkOut)
        .hasMessageStartingWith("--out: " + file);

    Files.writeString(Hour.samples(directory), Sample.HEADER);
    assertThatCode(options::checkOut).doesNotThrowAnyException();
  }
}
