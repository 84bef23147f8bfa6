package dev.stint.simulation.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.simulation.PlayedWorld;
import dev.stint.simulation.WorldKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakTest {
  @TempDir private Path directory;

  private SoakOptions options(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--directory", directory.toString()));
    arguments.addAll(List.of(more));
    return SoakOptions.parse(arguments);
  }

  @Test
  void playsEachSeedOnceAndGoesOnWhereItWasEnded() throws Exception {
    new Soak(options("--first", "7", "--worlds", "2")).play();
    Files.writeString(
        directory.resolve("chunks.jsonl"), "{\"first\":107,\"wor", StandardOpenOption.APPEND);
    List<Chunk> chunks = new Soak(options("--first", "6", "--worlds", "4")).play();
    assertThat(chunks)
        .extracting(chunk -> chunk.first + " " + chunk.worlds)
        .containsExactlyInAnyOrder("7 2", "6 1", "9 1");
    assertThat(new Soak(options("--first", "6", "--worlds", "4")).play()).hasSize(3);
  }

  @Test
  void aKindThatIsChosenIsThatOfAllWorlds() throws Exception {
    List<Chunk> chunks = new Soak(options("--worlds", "2", "--kind", "QUOTAS")).play();
    assertThat(chunks)
        .singleElement()
        .satisfies(chunk -> {
          assertThat(chunk.kinds).containsOnlyKeys(WorldKind.QUOTAS);
          assertThat(chunk.kindOf(1)).isEqualTo(WorldKind.QUOTAS);
        });
  }

  @Test
  void aReportOfNothingIsRefused() {
    assertThatThrownBy(() -> SoakResults.read(directory.resolve("mistyped")))
        .hasMessageEndingWith("mistyped: no results of build/soak");
    assertThat(directory.resolve("mistyped")).doesNotExist();
  }

  @Test
  void partsShareTheSeeds() throws Exception {
    String[] half = {"--worlds", "101", "--part", "2/2"};
    List<Chunk> chunks = new Soak(options(half)).play();
    assertThat(chunks).singleElement().satisfies(chunk -> assertThat(chunk.first).isEqualTo(101));
  }

  @Test
  void aReportAddsUpWhatWasPlayedAndNamesWhatBroke() throws IOException {
    SoakResults results = SoakResults.of(directory);
    for (long first : new long[] {1, 101}) {
      Chunk chunk = new Chunk(first);
      TreeMap<String, Integer> faults = new TreeMap<>();
      faults.put("the disk is full", 3);
      PlayedWorld world = new PlayedWorld(1000, Duration.ofDays(73), faults);
      chunk.add(first, WorldKind.JOBS, world, Duration.ofMillis(500 + first));
      chunk.broken.add(first + 3);
      results.add(chunk);
    }

    SoakReport report = new SoakReport(results.read(), Set.of(104L));
    assertThat(report.isGood()).isFalse();
    assertThat(report.text())
        .contains("| worlds | 2 (JOBS 2) |", "| simulated hours | 3,504 |", "| 4, 104 |")
        .contains("| those of them that hold since | 104 |")
        .contains("| the disk is full | 6 |", "| 101 | 0.6 |", "| 1 | 0.5 |");
  }

  @Test
  void aWorldThatBrokeALawIsPlayedAgain() throws IOException {
    SoakResults results = SoakResults.of(directory);
    Chunk chunk = new Chunk(7);
    chunk.broken.add(7L);
    results.add(chunk);
    Soak.playAgain(results, results.read());
    assertThat(SoakResults.mended(directory)).containsExactly(7L);
    assertThat(new SoakReport(results.read(), SoakResults.mended(directory)).isGood()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "--worlds, 0, --worlds: \"0\" is no positive whole number",
    "--hours, soon, --hours: \"soon\" is no positive number",
    "--part, 3/2, --part: \"3/2\" is not like 2/4",
    "--kind, CATS, --kind: \"CATS\" is none of",
    "--seed, 1, --seed: no such flag",
  })
  void aWrongFlagIsNamed(String flag, String value, String message) {
    assertThatThrownBy(() -> SoakOptions.parse(List.of(flag, value)))
        .hasMessageStartingWith(message);
  }
}
