package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Worlds find faults: each of the {@link Mutations} breaks a law within a few seeds. The table of
 * docs/simulation.md is printed to {@code target/mutations.md}.
 */
class MutationsTest {
  private static final int MOST_SEEDS = 4000;
  private static final Path DOCUMENT = Path.of("..", "docs", "simulation.md");

  /**
   * @param seeds how many it took, the last of which broke a law; 0 where none did
   * @param law what was found to be wrong
   */
  private record Finding(Mutation mutation, int seeds, String law) {
    String row() {
      return "| %s | %s | `%s.%s` | %d | %s |"
          .formatted(
              mutation.name(), mutation.breaks(), mutation.type(), mutation.method(), seeds, law);
    }
  }

  @Test
  void everyFaultInOurCodeIsFound() throws IOException {
    LoggerFactory.getLogger(MutationsTest.class); // Once, before worlds ask for loggers at once.
    List<Finding> findings = Mutations.ALL.parallelStream().map(MutationsTest::hunt).toList();
    Files.writeString(
        Path.of("target", "mutations.md"),
        findings.stream().map(Finding::row).collect(Collectors.joining("\n", "", "\n")));
    assertThat(findings)
        .filteredOn(finding -> finding.seeds() == 0)
        .extracting(finding -> finding.mutation().name())
        .as("mutations that %d seeds do not find", MOST_SEEDS)
        .isEmpty();
  }

  private static Finding hunt(Mutation mutation) {
    LongConsumer player = mutation.player();
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      try {
        player.accept(seed);
      } catch (AssertionError found) {
        return new Finding(mutation, seed, law(found));
      }
    }
    return new Finding(mutation, 0, "");
  }

  /** The first line, without names, numbers and states. */
  private static String law(AssertionError found) {
    String line = String.valueOf(found.getMessage()).lines().findFirst().orElse("");
    return line.replaceAll("logged: .*Exception: ", "logged: ")
        .replaceAll("(PodView| \\(uid|: \\[|; there are|, up to|, instead of).*", "")
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "")
        .replaceAll("\\b(j\\d[a-z0-9-]*|default/j\\d[a-z0-9-]*)(@\\d+)?", "")
        .replaceAll("[|:]", " ")
        .replaceAll("\\s+", " ")
        .trim();
  }

  @Test
  void theDocumentListsThem() throws IOException {
    Map<String, String> listed = new TreeMap<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      String[] cells = line.split("\\|");
      if (cells.length == 6 && cells[4].trim().matches("\\d+")) {
        listed.put(cells[1].trim(), cells[3].trim());
      }
    }
    assertThat(listed)
        .isEqualTo(
            Mutations.ALL.stream()
                .collect(
                    Collectors.toMap(
                        Mutation::name,
                        mutation -> "`" + mutation.type() + "." + mutation.method() + "`")));
  }
}
