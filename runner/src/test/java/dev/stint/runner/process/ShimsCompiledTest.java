package dev.stint.runner.process;

/** The same with the compiled shim in the place of shells. */
class ShimsCompiledTest extends ShimsTest {
  @Override
  ShimProgram shim() {
    return CompiledShim.program();
  }
}
