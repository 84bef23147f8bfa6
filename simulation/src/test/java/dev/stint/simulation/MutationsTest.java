package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Worlds find faults: each of the {@link Mutations} breaks a law. The table of docs/simulation.md
 * records which seed found it. That seed is played first, and all others only if it finds nothing
 * any more. {@code -Drecord} searches from seed 1 on, and then among worlds with loose pods, and
 * rewrites the table.
 */
class MutationsTest {
  private static final int MOST_SEEDS = 4000;

  /** The number of worlds with loose pods that are played, too. */
  private static final int LOOSE = 1000;

  private static final Path DOCUMENT = Path.of("..", "docs", "simulation.md");
  private static final boolean RECORDS = System.getProperty("record") != null;

  /**
   * A row of the table.
   *
   * @param place the method with the fault
   * @param seed the world in which a law was broken; 0 if none was
   * @param law the violation that was found
   */
  private record Finding(String name, String breaks, String place, int seed, String law) {
    static Finding of(Mutation mutation, int seed, String law) {
      String place = "`" + mutation.place() + "`";
      return new Finding(mutation.name(), mutation.breaks(), place, seed, law);
    }

    /** Returns the row in a line of the document; empty if there is none. */
    static Stream<Finding> parse(String line) {
      String[] cells = line.split("\\|");
      if (cells.length != 6 || !cells[4].trim().matches("\\d+")) {
        return Stream.of();
      }
      int seed = Integer.parseInt(cells[4].trim());
      return Stream.of(
          new Finding(cells[1].trim(), cells[2].trim(), cells[3].trim(), seed, cells[5].trim()));
    }

    String row() {
      return "| %s | %s | %s | %d | %s |".formatted(name, breaks, place, seed, law);
    }
  }

  @Test
  void everyFaultInOurCodeIsFound() throws IOException {
    LoggerFactory.getLogger(MutationsTest.class); // Once, before worlds ask for loggers at once.
    Map<String, Finding> recorded = recorded();
    MutatedCode shared =
        new MutatedCode(Mutations.ALL.stream().filter(m -> !MutatedCode.isAlone(m)).toList());
    List<Finding> findings =
        Mutations.ALL.parallelStream()
            .map(mutation -> {
              MutatedCode code =
                  MutatedCode.isAlone(mutation) ? new MutatedCode(List.of(mutation)) : shared;
              return hunt(mutation, code.player(mutation), recorded.get(mutation.name()));
            })
            .toList();
    assertThat(findings)
        .filteredOn(finding -> finding.seed() == 0)
        .extracting(Finding::name)
        .as("mutations that %d seeds do not find", MOST_SEEDS)
        .isEmpty();
    if (RECORDS) {
      record(findings);
    }
  }

  private static Finding hunt(Mutation mutation, LongConsumer player, @Nullable Finding recorded) {
    IntStream known =
        recorded == null || RECORDS ? IntStream.empty() : IntStream.of(recorded.seed());
    int loose = Math.toIntExact(LoosePods.FIRST_SEED);
    IntStream others =
        IntStream.concat(
            IntStream.rangeClosed(1, MOST_SEEDS), IntStream.range(loose, loose + LOOSE));
    Finding found =
        IntStream.concat(known, others)
            .boxed()
            .flatMap(seed -> played(mutation, player, seed))
            .findFirst()
            .orElseGet(() -> Finding.of(mutation, 0, ""));
    if (recorded == null || recorded.seed() != found.seed()) {
      System.out.printf(
          "docs/simulation.md records no seed that finds \"%s\"; %d does (%s): see its command%n",
          mutation.name(), found.seed(), found.law());
    }
    return found;
  }

  /** Returns the violation in the world of a seed; empty if all laws hold. */
  private static Stream<Finding> played(Mutation mutation, LongConsumer player, int seed) {
    try {
      player.accept(seed);
      return Stream.of();
    } catch (AssertionError found) {
      return Stream.of(Finding.of(mutation, seed, law(found)));
    }
  }

  /** Returns the first line, without names, numbers and states. */
  private static String law(AssertionError found) {
    String line = String.valueOf(found.getMessage()).lines().findFirst().orElse("");
    return line.replaceAll("logged: .*Exception: ", "logged: ")
        .replaceAll("(PodView| \\(uid|: \\[|; there are|, up to|, instead of).*", "")
        .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "")
        .replaceAll("\\b((default|n\\d)?/)?[cjmnp]\\d[a-z0-9-]*(@\\d+)?", "")
        .replaceAll("[|:]", " ")
        .replaceAll("\\s+", " ")
        .trim();
  }

  @Test
  void theDocumentListsThem() throws IOException {
    Map<String, String> listed = places(recorded().values().stream());
    Map<String, String> all =
        places(Mutations.ALL.stream().map(mutation -> Finding.of(mutation, 0, "")));
    if (!RECORDS) {
      assertThat(listed).isEqualTo(all);
    }
  }

  private static Map<String, String> places(Stream<Finding> findings) {
    return findings.collect(Collectors.toMap(Finding::name, Finding::place));
  }

  /** Returns the seeds of the worlds with one controller that find a mutation. */
  static List<Long> recordedSeeds() throws IOException {
    Map<String, Finding> recorded = recorded();
    return Mutations.ALL.stream()
        .filter(mutation -> mutation.isIn(WorldKind.JOBS))
        .flatMap(mutation -> Stream.ofNullable(recorded.get(mutation.name())))
        .map(finding -> (long) finding.seed())
        .toList();
  }

  private static Map<String, Finding> recorded() throws IOException {
    return Files.readAllLines(DOCUMENT).stream()
        .flatMap(Finding::parse)
        .collect(Collectors.toMap(Finding::name, finding -> finding));
  }

  /** Writes the rows at the place of the first old row. */
  private static void record(List<Finding> findings) throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    List<String> others = lines.stream().filter(line -> !isRow(line)).toList();
    int at = (int) lines.stream().takeWhile(line -> !isRow(line)).count();
    Stream<String> rows = findings.stream().map(Finding::row);
    Files.write(
        DOCUMENT,
        Stream.of(others.subList(0, at).stream(), rows, others.subList(at, others.size()).stream())
            .flatMap(part -> part)
            .toList());
  }

  private static boolean isRow(String line) {
    return Finding.parse(line).findAny().isPresent();
  }
}
