package dev.stint.console;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.runner.log.LogTree;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a console shows, and how.
 *
 * @param about what is looked at, for people: a directory, or the address of a cluster
 * @param cluster where the Jobs are
 * @param tree where their pods' logs are kept; null where they are on other machines
 * @param logs how to read the logs of a Job
 * @param readOnly whether nothing can be changed
 * @param secure whether it is served over TLS, so that its cookie never goes over anything else
 * @param timers for retries
 * @param announce tells the user of the path of a new sign-in link, such as {@code
 *     /console/#sign-in=…}
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
    Consumer<String> announce) {

  /** How to read the logs of Jobs. */
  @FunctionalInterface
  public interface Logs {
    LogSource of(String namespace, String job);
  }
}
