package dev.stint.cli;

import dev.stint.cli.config.Configuration;
import dev.stint.cli.output.ProcessSignals;
import dev.stint.embedded.data.DataLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The part of {@link CacheTraining} for commands that work on a cluster: runs a {@code controller}
 * while a Job of its claim runs. The cluster and the Job's client are other processes, so that this
 * one loads only the classes of the controller.
 */
final class CacheTrainingCluster {
  private static final String CLAIM = "stint.dev/job-controller";

  private final String job;
  private final DataLayout data;

  /**
   * @param job the file of a Job that ends
   * @param scratch a directory for the files of the cluster, which are left behind
   */
  CacheTrainingCluster(Path job, Path scratch) {
    this.job = job.toString();
    this.data = new DataLayout(scratch.resolve("cluster"));
  }

  void run() throws Exception {
    Process up = start("up", "--data", data.directory().toString(), "--listen", "127.0.0.1:0");
    try {
      String _ = CacheTraining.awaitServing(up.getInputStream());
      String kubeconfig = data.kubeconfig().toString();
      CompletableFuture<Void> controller =
          CompletableFuture.runAsync(() -> control(kubeconfig), Thread::startVirtualThread);
      Process client = start("run", job, "--kubeconfig", kubeconfig, "--managed-by", CLAIM);
      client.getInputStream().transferTo(OutputStream.nullOutputStream());
      if (client.onExit().join().exitValue() != 0) {
        throw new IllegalStateException("the Job fails");
      }
      ProcessSignals.raise("TERM");
      controller.join();
    } finally {
      up.destroy();
      up.onExit().join();
    }
  }

  private static void control(String kubeconfig) {
    new StintCommand(CacheTraining.console(OutputStream.nullOutputStream()))
        .run("controller", "--kubeconfig", kubeconfig, "--leader-elect");
  }

  /** Starts a command on a JVM like this one. */
  private static Process start(String... command) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    line.addAll(List.of(command));
    ProcessBuilder process = new ProcessBuilder(line).redirectError(Redirect.DISCARD);
    process.environment().put(Configuration.VARIABLE, Configuration.NO_FILE);
    return process.start();
  }
}
