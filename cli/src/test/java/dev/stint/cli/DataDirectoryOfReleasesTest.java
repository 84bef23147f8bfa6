package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data directories of earlier releases, which later ones open. {@code releases/make} makes one with
 * the command of a release; add its version below.
 */
class DataDirectoryOfReleasesTest {
  private static final Path RELEASES = Path.of("src/test/resources/releases");

  @TempDir private Path data = Path.of("");

  /** The result of a command. */
  private record Result(int status, List<String> out, List<String> err) {}

  @ParameterizedTest
  @ValueSource(strings = "0.1.0")
  void jobsAndLogsAreReadAndAnInterruptedJobGoesOn(String release) throws Exception {
    unpack(release);

    assertThat(stint("ls").out())
        .anyMatch(line -> line.matches("finished +Complete +3/3 .*"))
        .anyMatch(line -> line.matches("failed +Failed +0/1 .*"))
        .anyMatch(line -> line.matches("unfinished +Interrupted +1/2 .*"));
    assertThat(stint("logs", "finished", "--index", "2").out()).contains("index 2");
    assertThat(stint("show", "failed").out()).contains("  | broken");

    // The second index ends at once here, as the working directory has a pom.xml.
    Result run = stint("run", RELEASES.resolve("unfinished.yaml").toString());
    assertThat(run.status()).as(String.join("\n", run.err())).isZero();
    assertThat(stint("ls").out()).anyMatch(line -> line.matches("unfinished +Complete +2/2 .*"));
    assertThat(stint("attempts", "unfinished").out()).hasSize(4);
  }

  private void unpack(String release) throws Exception {
    String archive = RELEASES.resolve(release + ".tar.gz").toString();
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive, "-C", data.toString()).inheritIO().start();
    assertThat(tar.waitFor()).isZero();
  }

  private Result stint(String... args) {
    Recorded recorded =
        Recorded.of("", Map.of("HOME", "/home/nobody"), false, StandardCharsets.UTF_8);
    String[] all =
        Stream.of(Stream.of(args[0], "--data=" + data), Stream.of(args).skip(1))
            .flatMap(words -> words)
            .toArray(String[]::new);
    int status = recorded.run(all);
    return new Result(status, recorded.out(), recorded.err());
  }
}
