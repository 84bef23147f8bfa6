package dev.stint.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decisions have one layout, and an index with a line for each. */
class DecisionsTest {
  private static final Path DECISIONS = Checkout.ROOT.resolve("docs/decisions");
  private static final Pattern NAME = Pattern.compile("(\\d{4})-[a-z0-9-]+\\.md");
  private static final Pattern BEGINNING =
      Pattern.compile("# (\\d+)\\. (.+)\n\nStatus: accepted\\b[^#]*\n\n## Context\n");

  @ParameterizedTest
  @MethodSource("decisions")
  void aDecisionHasTitleStatusContextDecisionAndRejectedOptions(Path file) throws IOException {
    String text = Files.readString(file);
    Matcher beginning = BEGINNING.matcher(text);
    assertThat(beginning.lookingAt()).as("it begins with %s", BEGINNING).isTrue();
    assertThat("%04d".formatted(Integer.parseInt(beginning.group(1))))
        .isEqualTo(file.getFileName().toString().substring(0, 4));
    assertThat(text.lines().filter(line -> line.startsWith("## ")).toList())
        .isIn(
            List.of("## Context", "## Decision", "## Rejected"),
            List.of("## Context", "## Decision", "## Consequences", "## Rejected"));
  }

  @Test
  void theIndexHasALineForEveryDecision() throws IOException {
    List<String> index =
        Files.readAllLines(DECISIONS.resolve("README.md")).stream()
            .filter(line -> line.contains(".md)"))
            .toList();
    List<String> links = decisions().map(DecisionsTest::link).toList();
    assertThat(index).hasSameSizeAs(links).hasSizeGreaterThan(30);
    for (int at = 0; at < links.size(); at++) {
      assertThat(index.get(at)).startsWith(links.get(at)).matches(".*\\) \\| .+\\. \\|");
    }
  }

  private static String link(Path file) {
    try {
      Matcher beginning = BEGINNING.matcher(Files.readString(file));
      assertThat(beginning.lookingAt()).as("%s begins with %s", file, BEGINNING).isTrue();
      return "| %s | [%s](%s)"
          .formatted(beginning.group(1), beginning.group(2), file.getFileName());
    } catch (IOException fault) {
      throw new java.io.UncheckedIOException(fault);
    }
  }

  private static Stream<Path> decisions() throws IOException {
    try (Stream<Path> files = Files.list(DECISIONS)) {
      List<Path> found =
          files
              .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
              .sorted()
              .toList();
      assertThat(found).isNotEmpty();
      return found.stream();
    }
  }
}
