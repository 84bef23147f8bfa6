package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.command.AttemptDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShimProgramTest {
  @TempDir private Path dir;

  @Test
  void aShellReplacesAProgramThatCannotRunHere() throws Exception {
    Path noProgram = Files.writeString(dir.resolve("none"), "");
    assertThat(ShimProgram.compiled(dir.resolve("missing"))).isEqualTo(ShimProgram.SHELL);
    assertThat(ShimProgram.compiled(noProgram)).isEqualTo(ShimProgram.SHELL);
    assertThat(ShimProgram.compiled(Path.of("/bin/true"))).isEqualTo(ShimProgram.SHELL);
  }

  @Test
  void aLaterLifeKnowsTheShimByItsCommandLine() {
    for (ShimProgram program : List.of(ShimProgram.SHELL, CompiledShim.program())) {
      assertThat(program.argv("owner", "boot", dir))
          .endsWith(AttemptDir.SHIM_NAME, "owner", "boot", dir.toString());
    }
  }
}
