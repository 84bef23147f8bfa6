package dev.stint.console;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.console.simulation.JobSimulator;
import dev.stint.jobs.Follower;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a console.
 *
 * @param about names what is shown, for people: a directory, or the address of a cluster
 * @param cluster the cluster that holds the Jobs
 * @param tree the logs of their pods; null if they are on other machines
 * @param logs opens the logs of a Job
 * @param readOnly true if nothing can be changed
 * @param secure true if it is served over TLS, so that its cookie never travels unencrypted
 * @param timers for retries
 * @param randoms returns a new generator for the jitter of retries for each caller
 * @param simulator predicts how Jobs would end again; null to offer no simulation
 * @param announce receives the path of each new sign-in link, such as {@code /console/#sign-in=…}
 */
public record ConsoleOptions(
    String about,
    Cluster cluster,
    @Nullable LogTree tree,
    Logs logs,
    boolean readOnly,
    boolean secure,
    InstantSource clock,
    Timers timers,
    Supplier<RandomGenerator> randoms,
    @Nullable JobSimulator simulator,
    Consumer<String> announce) {

  /** Opens the logs of Jobs. */
  @FunctionalInterface
  public interface Logs {
    LogSource of(String namespace, String job);
  }

  /**
   * Creates a follower of the shown cluster that has not sent any request yet.
   *
   * @param namespace null for all
   * @param view returns what to keep of an object; null if the object does not matter
   */
  <T> Follower<T> follower(
      Kind kind,
      @Nullable String namespace,
      Function<KubeObject, @Nullable T> view,
      Follower.Listener<T> listener) {
    return new Follower<>(cluster, kind, namespace, timers, randoms.get(), view, listener);
  }
}
