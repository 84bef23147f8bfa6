package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands name the failed item of a Job of a list. */
class ItemsCommandTest {
  @TempDir private static Path directory = Path.of("");

  @BeforeAll
  static void aListOfWhichOneItemFails() throws Exception {
    byte[] list = "a.txt\nb b.txt\ncaf\u00E9.txt\n".getBytes(StandardCharsets.ISO_8859_1);
    Path file = Files.write(directory.resolve("list"), list);
    StintProcess run =
        StintProcess.run(
            directory,
            "run",
            "--data=" + directory.resolve("data"),
            "--each=" + file,
            "--name=files",
            "--",
            "sh",
            "-c",
            "echo \"got $1\"; case $1 in caf*) exit 3 ;; esac",
            "sh",
            "{}");
    assertThat(run.exitStatus()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).contains("index 2 (caf\\xe9.txt), pod files-2-");
  }

  private static Recorded stint(String... args) {
    Recorded recorded = Recorded.of("", Map.of(), false, StandardCharsets.ISO_8859_1);
    List<String> all = new ArrayList<>(List.of(args));
    all.add(1, "--data=" + directory.resolve("data"));
    assertThat(recorded.run(all.toArray(String[]::new))).as(recorded.err().toString()).isZero();
    return recorded;
  }

  @Test
  void itemsArePrintedWithAllTheirBytes() {
    assertThat(items("files")).containsExactly("a.txt", "b b.txt", "caf\u00E9.txt");
    assertThat(items("files", "--failed")).containsExactly("caf\u00E9.txt");
    assertThat(items("files", "--succeeded", "-0")).containsExactly("a.txt\0b b.txt\0");
    assertThat(items("files", "--unfinished")).isEmpty();
  }

  private static List<String> items(String... args) {
    List<String> all = new ArrayList<>(List.of("items"));
    all.addAll(List.of(args));
    Recorded recorded = stint(all.toArray(String[]::new));
    return recorded.outBytes().toString(StandardCharsets.ISO_8859_1).lines().toList();
  }

  @Test
  void attemptsAndLogsNameTheItem() {
    assertThat(stint("attempts", "files", "--failed").out())
        .anyMatch(line -> line.startsWith("INDEX  ITEM "))
        .anyMatch(line -> line.startsWith("2      caf\\xe9.txt  1 "));
    assertThat(stint("show", "files").out())
        .anyMatch(line -> line.startsWith("last failure of index 2 (caf\\xe9.txt), attempt 1: "));
    assertThat(stint("logs", "files", "--prefix", "--index=1").out())
        .containsExactly("[1 #1 b b.txt] got b b.txt");
    String json = String.join("\n", stint("attempts", "files", "-o", "json").out());
    assertThat(Json.parse(json).at("/attempts/2/item").asString()).isEqualTo("caf\\xe9.txt");
  }

  @Test
  void theJobLogHasTheCommandOfEachItem() {
    assertThat(stint("attempts", "files", "-o", "joblog").out())
        .hasSize(4)
        .anyMatch(line -> line.startsWith("2\t:\t") && line.endsWith("' sh 'b b.txt'"))
        .anyMatch(line -> line.startsWith("3\t:\t") && line.endsWith("' sh 'caf\uFFFD.txt'"));
    assertThat(stint("attempts", "files", "-o", "csv").out())
        .hasSize(4)
        .anyMatch(line -> line.startsWith("2,caf\\xe9.txt,1,files-2-"));
  }
}
