package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.jobs.JobInterruption;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.runner.process.user.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a command that holds a data directory which works for other commands: serves them the
 * API, works on the Jobs that they claim, and gives their pods their surroundings.
 */
public final class Sharing implements AutoCloseable, Claims.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);

  /** The time in which the status of a pod that has begun tells so. */
  private static final Duration SETTLING = Duration.ofSeconds(5);

  private final Executor executor;
  private final Claims claims = new Claims(this);
  private final Surroundings own;
  private final boolean worksOnAll;
  private @Nullable ControlPlane plane;
  private @Nullable ClusterServer server;
  private volatile boolean started;

  /**
   * @param own the surroundings of pods that no command has claimed
   * @param worksOnAll true if controllers work on all Jobs, claimed or not: a Job whose command has
   *     gone is suspended then
   */
  public Sharing(Surroundings own, boolean worksOnAll) {
    this(own, worksOnAll, Executors.newVirtualThreadPerTaskExecutor());
  }

  /**
   * @param executor for what follows from answers of the API; nothing on it waits
   */
  public Sharing(Surroundings own, boolean worksOnAll, Executor executor) {
    this.own = own;
    this.worksOnAll = worksOnAll;
    this.executor = executor;
  }

  /** Returns the claims of all commands. */
  public Claims claims() {
    return claims;
  }

  /** Returns what the processes of a pod inherit. */
  public Surroundings surroundings(KubeObject pod) {
    return claims.ofPod(pod).map(JobClaim::surroundings).orElse(own);
  }

  /** True if an attempt of a pod that a restart of the machine took is run again. */
  public boolean repeatsLost(KubeObject pod) {
    return claims.ofPod(pod).filter(claim -> !claim.decidesOnDisruptions()).isPresent();
  }

  /** Claims Jobs for this command. */
  public CompletableFuture<?> claim(List<JobClaim> wanted) {
    return claims.take(this, wanted);
  }

  /** False if another command has claimed the Job of a pod, and will go on with it. */
  public boolean isOwn(KubeObject pod) {
    return !claims.ownerOfPod(pod, owner -> owner != this);
  }

  /** True if other commands have Jobs here. */
  public boolean hasOthers() {
    return claims.hasOthers(this);
  }

  /**
   * Starts to serve other commands. If the directory's file system has no sockets, they are refused
   * as long as this one runs.
   *
   * @param info this command
   * @param handOver called when another process asks for the directory; null to keep it
   */
  public void open(
      DataDirectory directory, ControlPlane served, HolderInfo info, @Nullable Runnable handOver) {
    share(served);
    try {
      server =
          ClusterServer.open(
              directory.path(), info, served.cluster(), claims, served.timers(), handOver);
    } catch (IOException fault) {
      LOG.warn(
          "Other commands cannot join this one, since there can be no socket in {}: {}",
          directory.path(),
          fault.toString());
    }
  }

  /** Sets the control plane whose Jobs are shared, before other commands connect. */
  public void share(ControlPlane shared) {
    plane = shared;
  }

  /** Records that the control plane works from now on. */
  public void onStart() {
    started = true;
  }

  @Override
  public void onClaim(List<JobClaim> claimed) {
    ControlPlane working = plane;
    if (started && working != null) {
      anyExists(working.cluster(), claimed)
          .thenAcceptAsync(
              exists -> {
                if (exists) {
                  working.reconsider();
                }
              },
              executor);
    }
  }

  /** Completes with true if one of the Jobs exists, or if that cannot be read. */
  private static CompletableFuture<Boolean> anyExists(Cluster cluster, List<JobClaim> claims) {
    List<CompletableFuture<Boolean>> each =
        claims.stream()
            .map(claim ->
                ClusterRequests.find(cluster, claim.ref())
                    .handle((job, failure) -> job != null || failure != null))
            .toList();
    return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
        .thenApply(_ -> each.stream().anyMatch(CompletableFuture::join));
  }

  @Override
  public CompletableFuture<?> onLeave(List<JobClaim> left) {
    ControlPlane working = plane;
    if (working == null) {
      return CompletableFuture.completedFuture(null);
    }
    if (worksOnAll) {
      return suspend(working, left).whenComplete((_, _) -> claims.forget(left));
    }
    if (started) {
      working.reconsider();
    }
    working.timers().after(SETTLING, () -> executor.execute(() -> forgetLater(working, left)));
    return CompletableFuture.completedFuture(null);
  }

  /** Forgets Jobs once their pods have ended, and a user cannot ask for their end any more. */
  private void forgetLater(ControlPlane working, List<JobClaim> left) {
    LeftPods.awaitEnd(working.cluster(), left, working.timers(), working.random())
        .thenRunAsync(
            () -> {
              claims.settle(left);
              left.forEach(
                  claim -> end(working, claim).thenRun(() -> claims.forget(List.of(claim))));
            },
            executor);
  }

  /** Suspends Jobs; completes when their pods have ended, or nothing can end them yet. */
  private CompletableFuture<?> suspend(ControlPlane working, List<JobClaim> left) {
    CompletableFuture<?> suspended = all(left, claim -> interrupt(working.cluster(), claim));
    return started
        ? suspended.thenComposeAsync(_ -> all(left, claim -> end(working, claim)), executor)
        : suspended;
  }

  private static CompletableFuture<?> interrupt(Cluster cluster, JobClaim claim) {
    return JobInterruption.request(cluster, claim.ref())
        .exceptionally(refused -> {
          LOG.warn(
              "Cannot interrupt Job {}, whose command has ended; it goes on: {}",
              claim.key(),
              ClusterException.causeOf(refused).getMessage());
          return null;
        });
  }

  private static CompletableFuture<@Nullable Void> all(
      List<JobClaim> claims, Function<JobClaim, CompletableFuture<?>> act) {
    return CompletableFuture.allOf(claims.stream().map(act).toArray(CompletableFuture[]::new));
  }

  private static CompletableFuture<?> end(ControlPlane working, JobClaim claim) {
    return JobInterruption.awaitEnd(
        working.cluster(), claim.ref(), working.timers(), working.random());
  }

  /** Tells other commands that another process takes the directory over; before the close. */
  public void announceHandOver() {
    if (server != null) {
      server.announceHandOver();
    }
  }

  /** Stops to serve. The Jobs of other commands go on: one of them holds the directory next. */
  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
