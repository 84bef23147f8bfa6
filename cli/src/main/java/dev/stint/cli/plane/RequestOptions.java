package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.reconcile.RetryingCluster;
import picocli.CommandLine.Option;

/**
 * The rate and concurrency limits of requests to an API, with the flag names of Kubernetes'
 * components; a mixin.
 */
public final class RequestOptions {
  private static final int LEAST_SYNCS = 64;
  private static final int MOST_SYNCS = 1000;

  @Option(
      names = "--kube-api-qps",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Maximum number of requests per second; 0 for no limit (default: ${DEFAULT-VALUE}).")
  double perSecond;

  @Option(
      names = "--kube-api-burst",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Maximum number of requests in a burst (default: ${DEFAULT-VALUE}).")
  int burst;

  @Option(
      names = "--kube-api-concurrency",
      paramLabel = "N",
      defaultValue = "64",
      description = "Maximum number of concurrent requests (default: ${DEFAULT-VALUE}).")
  int concurrency;

  /**
   * Returns the options.
   *
   * @throws UserException if they are out of range
   */
  public RetryingCluster.Options requests() {
    if (!(perSecond >= 0) || burst < 1 || concurrency < 1) {
      throw new UserException(
          "--kube-api-qps must be 0 or more, --kube-api-burst and --kube-api-concurrency 1 or more");
    }
    RetryingCluster.Options usual = RetryingCluster.Options.DEFAULT;
    return new RetryingCluster.Options(
        perSecond, burst, concurrency, usual.tries(), usual.backoff());
  }

  /**
   * Returns how many Jobs a controller with these limits works on at once: enough that requests
   * wait by their precedence rather than Jobs in the order of their changes, and few enough that
   * what waits was decided seconds ago at most (decision 109).
   */
  public int jobSyncs() {
    return perSecond == 0 ? MOST_SYNCS : (int) Math.clamp(2 * perSecond, LEAST_SYNCS, MOST_SYNCS);
  }
}
