package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "examples");

  @Test
  void exist() throws IOException {
    assertThat(examples()).hasSizeGreaterThanOrEqualTo(6);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void areValid(Path example) {
    Recorded recorded = Recorded.plain();
    int status = recorded.run("validate", example.toString());
    assertThat(recorded.err()).isEmpty();
    assertThat(status).isZero();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void describeHowToRunThemAndWhatToExpect(Path example) throws IOException {
    List<String> lines = Files.readAllLines(example);
    assertThat(lines)
        .contains("#   ./stint run examples/" + example.getFileName())
        .anyMatch(line -> line.startsWith("# Expect: "))
        .anyMatch(line -> line.matches("# .*exit status [01]\\."));
  }

  @Test
  @Covers("BI-73")
  void theGuideWarnsOfVeryManyCompletionsAndShowsHowAnIndexFailsAtOnce() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "troubleshooting.md"));
    assertThat(guide)
        .containsIgnoringWhitespaces(
            "More than 100,000 completions", "examples/fail-index-on-exit-42.yaml");
    assertThat(Files.readString(EXAMPLES.resolve("fail-index-on-exit-42.yaml")))
        .contains("action: FailIndex", "values: [42]", "backoffLimitPerIndex: 3");
  }

  private static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
