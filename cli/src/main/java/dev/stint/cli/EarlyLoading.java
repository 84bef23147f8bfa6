package dev.stint.cli;

import dev.stint.cli.file.JobFiles;
import dev.stint.model.FeatureGates;
import dev.stint.model.Sha256;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.runner.library.LibraryFunction;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.engine.RocksLibrary;
import java.nio.charset.StandardCharsets;

/**
 * Does what takes tens of milliseconds the first time while the command line is still being parsed:
 * a machine with two processors does something else as well.
 */
final class EarlyLoading {
  /** A Job like those that will be read. */
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: job
      spec:
        template:
          spec:
            restartPolicy: Never
            containers:
              - name: main
                image: none
                command: ["true"]
      """;

  private EarlyLoading() {}

  static void begin() {
    begin("stint-load-store", RocksLibrary::load);
    begin(
        "stint-load-calls", () -> LibraryFunction.find("getpid").ifPresent(LibraryFunction::call));
    begin("stint-load-documents", EarlyLoading::readJob);
    begin("stint-load-machine", EarlyLoading::describeMachine);
  }

  private static void describeMachine() {
    Sha256.begin();
    ResourceAmount.ofThisMachine();
  }

  private static void readJob() {
    for (Document job : Documents.read("", JOB.getBytes(StandardCharsets.UTF_8))) {
      JobFiles.faults(job, FeatureGates.DEFAULT);
    }
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
