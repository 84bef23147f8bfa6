package dev.stint.cli.serve;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.MetricsServing;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.embedded.RemoteWork;
import dev.stint.jobs.ApiCalls;
import dev.stint.kube.KubeCluster;
import dev.stint.model.ExponentialBackoff;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One {@code controller} or {@code mirror}: from the first answer of the API to the hand-over. */
final class RemoteWorkSession implements AutoCloseable {
  /** The time that pending requests may take to be answered when the session is to end. */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(4));

  private final Console console;
  private final KubeCluster cluster;
  private final RemoteWork work;
  private final MetricsServing metrics;
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private volatile boolean reached;

  /**
   * Creates a session that is not started yet.
   *
   * @param cluster asked first whether it answers; not closed with this
   * @param work the work; closed with this
   * @param metrics closed with this
   */
  RemoteWorkSession(Console console, KubeCluster cluster, RemoteWork work, MetricsServing metrics) {
    this.console = console;
    this.cluster = cluster;
    this.work = work;
    this.metrics = metrics;
  }

  /**
   * Works until a signal comes, and returns the exit status.
   *
   * @param name the name of the work, for the metrics
   * @param what a description of the work, for the user
   * @param check refuses to start, once the API has answered
   * @throws UserException if the API does not accept our credentials: retrying would not help
   */
  int run(String name, String what, Runnable check) {
    console.signals().onEnding(signal -> end.complete(ExitCode.of(signal).status()));
    metrics.open(work::isHealthy, () -> reached && work.isReady(), console);
    metrics.reportLeadership(name, work::isLeading);
    String version = connect();
    if (version != null) {
      check.run();
      reached = true;
      console.out().println("Kubernetes " + version + " at " + cluster.url() + ": " + what);
      console.out().flush();
      work.start();
      SmallHeap.keep();
    }
    int status = end.join();
    work.stop(SHUTDOWN_TIMEOUT)
        .completeOnTimeout(null, SHUTDOWN_TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS)
        .join();
    return status;
  }

  /** Retries until the API answers; returns null if a signal comes first. */
  private @Nullable String connect() {
    String reported = "";
    for (int failures = 0; !end.isDone(); failures++) {
      try {
        return ApiCalls.await(cluster.version());
      } catch (ClusterException refused) {
        String why = String.valueOf(refused.getMessage());
        if (refused.reason() == Reason.UNAUTHORIZED) {
          throw new UserException("%s rejects the credentials: %s".formatted(cluster.url(), why));
        }
        if (!why.equals(reported)) {
          reported = why;
          console.say(why + "; retrying");
        }
        pause(RETRY.delay(failures + 1));
      }
    }
    return null;
  }

  /** Waits, unless a signal comes. */
  private void pause(Duration delay) {
    try {
      end.get(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException over) {
      return;
    } catch (ExecutionException fault) {
      throw new IllegalStateException(fault);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void close() {
    metrics.close();
    work.close();
  }
}
