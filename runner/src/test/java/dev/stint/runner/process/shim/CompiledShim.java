package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shim that is compiled from {@code src/main/c/shim.c}, as the launcher does it. */
public final class CompiledShim {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final String SOURCE = "src/main/c/shim.c";

  private static final List<String> SANITIZERS =
      List.of(
          "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-unused");

  private CompiledShim() {}

  /** Compiled once; a test that needs it is skipped if there is no compiler. */
  public static ShimProgram program() {
    assumeTrue(Made.SHIM != null, "NOT TESTED: there is no C compiler (cc) with its headers");
    return Made.SHIM;
  }

  /**
   * The shim with sanitizers, which end it at the first fault and write a report to a file of this
   * name, with the process ID behind it. A test is skipped if the compiler has none.
   */
  static ShimProgram sanitized(Path reports) throws IOException {
    Path options = TARGET.resolve("sanitizer-options.c");
    Files.createDirectories(TARGET);
    Files.writeString(
        options,
        """
        const char *__asan_default_options(void);
        const char *__asan_default_options(void) { return "detect_leaks=0:log_path=%s"; }
        """
            .formatted(reports));
    return ShimProgram.compiled(sanitized("stint-shim-sanitized", SOURCE, options.toString()));
  }

  /** Compiles C files with sanitizers. */
  static Path sanitized(String name, String... sources) throws IOException {
    Path program = TARGET.resolve(name);
    Files.createDirectories(TARGET);
    Path empty = Files.writeString(TARGET.resolve("empty.c"), "int main(void) { return 0; }\n");
    assumeTrue(
        compile(SANITIZERS, program, empty.toString()),
        "NOT TESTED: there is no C compiler (cc) with AddressSanitizer and UBSan");
    assertThat(compile(SANITIZERS, program, sources)).isTrue();
    return program;
  }

  private static boolean compile(List<String> options, Path program, String... sources)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("cc", "-std=c11"));
    words.addAll(options);
    words.addAll(List.of("-o", program.toString()));
    words.addAll(List.of(sources));
    try {
      return run(words.toArray(String[]::new)) == 0;
    } catch (IOException none) {
      return false;
    }
  }

  private static int run(String... words) throws IOException {
    try {
      return new ProcessBuilder(words).inheritIO().start().waitFor();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private static final class Made {
    private static final @Nullable ShimProgram SHIM = make();

    private static @Nullable ShimProgram make() {
      try {
        if (run("cc", "-E", "-x", "c", "-include", "stdio.h", "-o", "/dev/null", "/dev/null")
            != 0) {
          return null;
        }
        Files.createDirectories(TARGET);
        Path program = TARGET.resolve("stint-shim");
        assertThat(compile(List.of("-O2", "-Wall", "-Wextra"), program, SOURCE)).isTrue();
        ShimProgram shim = ShimProgram.compiled(program);
        assertThat(shim).isNotEqualTo(ShimProgram.SHELL);
        return shim;
      } catch (IOException none) {
        return null;
      }
    }
  }
}
