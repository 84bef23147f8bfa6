package dev.stint.runner.process;

import dev.stint.runner.process.shim.CompiledShim;
import dev.stint.runner.process.shim.ShimProgram;

/** The same tests with the compiled shim instead of shells. */
class PodRecordsCompiledTest extends PodRecordsTest {
  @Override
  ShimProgram shim() {
    return CompiledShim.program();
  }
}
