package dev.stint.cli;

import dev.stint.runner.library.LibraryFunction;
import dev.stint.store.engine.RocksLibrary;

/**
 * Loads native libraries while the command line is still being parsed. Both take tens of
 * milliseconds, in which a machine with two processors does something else as well.
 */
final class EarlyLoading {
  private EarlyLoading() {}

  static void begin() {
    begin("stint-load-store", RocksLibrary::load);
    begin(
        "stint-load-calls", () -> LibraryFunction.find("getpid").ifPresent(LibraryFunction::call));
  }

  @FunctionalInterface
  private interface Loading {
    void load() throws Exception;
  }

  private static void begin(String name, Loading loading) {
    Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(() -> {
          try {
            loading.load();
          } catch (Exception | LinkageError fault) {
            // The command meets the same fault when it needs the library, and reports it.
          }
        });
  }
}
