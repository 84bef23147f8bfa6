package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The shim that is compiled from {@code src/main/c/shim.c}, as the launcher does it. */
public final class CompiledShim {
  private static final String SOURCE = "src/main/c/shim.c";
  private static final Path PROGRAM = Path.of("target/stint-shim").toAbsolutePath();

  private CompiledShim() {}

  /** Compiled once; a test that needs it is skipped if there is no compiler. */
  public static ShimProgram program() {
    assumeTrue(Made.SHIM != null, "there is no C compiler (cc) with its headers");
    return Made.SHIM;
  }

  private static final class Made {
    private static final @Nullable ShimProgram SHIM = make();

    private static @Nullable ShimProgram make() {
      try {
        if (run("cc", "-E", "-x", "c", "-include", "stdio.h", "-o", "/dev/null", "/dev/null")
            != 0) {
          return null;
        }
        Files.createDirectories(PROGRAM.getParent());
        assertThat(
                run("cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-o", PROGRAM.toString(), SOURCE))
            .isZero();
        ShimProgram shim = ShimProgram.compiled(PROGRAM);
        assertThat(shim).isNotEqualTo(ShimProgram.SHELL);
        return shim;
      } catch (IOException none) {
        return null;
      }
    }

    private static int run(String... words) throws IOException {
      try {
        return new ProcessBuilder(words).inheritIO().start().waitFor();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }
  }
}
