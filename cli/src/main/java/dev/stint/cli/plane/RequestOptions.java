package dev.stint.cli.plane;

import dev.stint.cli.output.UserException;
import dev.stint.reconcile.RetryingCluster;
import picocli.CommandLine.Option;

/** How much an API is asked for, by the names that Kubernetes' components have; a mixin. */
public final class RequestOptions {
  @Option(
      names = "--kube-api-qps",
      paramLabel = "N",
      defaultValue = "500",
      description = "Requests a second at most; 0 for any number (default: ${DEFAULT-VALUE}).")
  private double perSecond;

  @Option(
      names = "--kube-api-burst",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Requests at once after a pause (default: ${DEFAULT-VALUE}).")
  private int burst;

  @Option(
      names = "--kube-api-concurrency",
      paramLabel = "N",
      defaultValue = "64",
      description = "Requests under way at most (default: ${DEFAULT-VALUE}).")
  private int concurrency;

  /**
   * What the flags ask for.
   *
   * @throws UserException where that can't be
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
}
