package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same tests with a compiled shim that ends at the first fault of its memory, and mutated
 * requests for its parsers.
 */
class ShimsSanitizedTest extends ShimsCompiledTest {
  /** Another number of mutated requests than that of each build. */
  private static final String REQUESTS = System.getProperty("stint.fuzz.requests", "100000");

  private static final String SEED = System.getProperty("stint.fuzz.seed", "1");

  @TempDir static Path reports;
  private static ShimProgram shim;

  @BeforeAll
  static void compile() throws IOException {
    shim = CompiledShim.sanitized(reports.resolve("fault"));
    assertThat(shim.isCompiled()).isTrue();
  }

  @AfterAll
  static void noFaultWasReported() throws IOException {
    try (Stream<Path> found = Files.list(reports)) {
      assertThat(found.toList()).allSatisfy(report -> assertThat(report).hasContent(""));
    }
  }

  @Override
  public ShimProgram shim() {
    return shim;
  }

  @Test
  void mutatedRequestsCauseNoFault() throws Exception {
    Path fuzzer = CompiledShim.sanitized("shim-fuzz", "src/test/c/shim_fuzz.c");
    Path said = reports.resolve("fuzzer");
    Process process =
        new ProcessBuilder(List.of(fuzzer.toString(), REQUESTS, SEED))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(said)).isZero();
    assertThat(said).hasContent(REQUESTS + " requests");
    Files.delete(said);
  }
}
