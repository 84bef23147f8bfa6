package dev.stint.cli.run;

import dev.stint.cli.share.Workplace;
import dev.stint.cluster.Cluster;
import dev.stint.embedded.share.JobClaim;
import dev.stint.runner.spec.ResourceAmount;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A directory that another command holds.
 *
 * @param free completes when Jobs may be claimed
 */
record JoinedWorkplace(
    Cluster cluster, CompletableFuture<?> free, CompletableFuture<String> failure)
    implements Workplace {
  @Override
  public ResourceAmount machine() {
    return ResourceAmount.UNLIMITED;
  }

  @Override
  public CompletableFuture<?> claim(List<JobClaim> claims) {
    return free;
  }

  @Override
  public void start() {}

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public boolean isWorking() {
    return true;
  }

  @Override
  public void interrupt() {}

  @Override
  public void interruptNow() {}

  @Override
  public void stop() {}

  @Override
  public void release() {}

  @Override
  public void close() {}
}
