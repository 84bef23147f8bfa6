package dev.stint.runner.process;

/** The same with the compiled shim in the place of shells. */
class ProcessRuntimeCompiledTest extends ProcessRuntimeTest {
  @Override
  ShimProgram shim() {
    return CompiledShim.program();
  }
}
