package dev.stint.runner.process;

import dev.stint.runner.process.shim.CompiledShim;
import dev.stint.runner.process.shim.ShimProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same tests with the compiled shim instead of shells. */
class VolumesCompiledTest extends VolumesTest {
  VolumesCompiledTest(@TempDir Path dir) throws Exception {
    super(dir);
  }

  @Override
  ShimProgram shim() {
    return CompiledShim.program();
  }
}
