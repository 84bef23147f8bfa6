package dev.stint.conformance.clients;

import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.RemoteControllers;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.reconcile.RetryingCluster;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * The Job controller in a process of its own, for Jobs without {@code managedBy}, as {@code stint
 * controller --claim built-in} runs it. Runs until it is killed. Argument: a kubeconfig file.
 */
final class JobControllerProgram {
  private JobControllerProgram() {}

  public static void main(String[] args) throws InterruptedException {
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster = KubeCluster.of(Path.of(args[0]), null, timers);
        RemoteControllers controllers = new RemoteControllers(cluster, timers, options())) {
      controllers.start();
      new CountDownLatch(1).await();
    }
  }

  private static RemoteControllers.Options options() {
    return new RemoteControllers.Options(
        Set.of(ControllerName.JOB),
        JobControllerOptions.DEFAULT,
        null,
        RetryingCluster.Options.DEFAULT,
        Metrics.NONE);
  }
}
