package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
  void areThere() throws IOException {
    assertThat(examples()).hasSizeGreaterThanOrEqualTo(6);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void areSound(Path example) {
    Recorded recorded = Recorded.plain();
    int status = recorded.run("validate", example.toString());
    assertThat(recorded.err()).isEmpty();
    assertThat(status).isZero();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void sayHowToRunThemAndWhatToExpect(Path example) throws IOException {
    List<String> lines = Files.readAllLines(example);
    assertThat(lines)
        .contains("#   ./stint run examples/" + example.getFileName())
        .anyMatch(line -> line.startsWith("# Expect: "))
        .anyMatch(line -> line.matches("# .*exit status [01]\\."));
  }

  private static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
