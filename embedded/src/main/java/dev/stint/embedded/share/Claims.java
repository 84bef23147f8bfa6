package dev.stint.embedded.share;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs that commands have claimed in a data directory: its holder works on them and no others.
 * One command at a time has a Job. If a command goes without a word, its Jobs are left: pods that
 * run go on, and the next command may claim them.
 */
public final class Claims {
  /** Acts on changes of the claims. */
  public interface Listener {
    /** Called after Jobs were claimed, which may exist already, with pods that run. */
    void onClaim(List<JobClaim> claims);

    /**
     * Called after the command of Jobs has gone without a word.
     *
     * @return completes when another command may claim them
     */
    CompletableFuture<?> onLeave(List<JobClaim> claims);
  }

  /** The owner of Jobs whose command has gone, and whose pods have ended. */
  private static final Object NOBODY = new Object();

  /** A claim and its owner. */
  private static final class Entry {
    private final JobClaim claim;
    private Object owner;

    /** The uid of the Job that the claim is about; null if it is not known yet. */
    private @Nullable String uid;

    /** Completes when another command may have the Job; null while the owner is there. */
    private @Nullable CompletableFuture<?> free;

    private Entry(JobClaim claim, Object owner) {
      this.claim = claim;
      this.owner = owner;
    }
  }

  private final Listener listener;
  private final Map<String, Entry> entries = new HashMap<>();

  /** The commands that have waited for Jobs of one that has gone, and are still there. */
  private final Set<Object> waiting = new HashSet<>();

  public Claims(Listener listener) {
    this.listener = listener;
  }

  /**
   * Claims Jobs for a command, in addition to those that it has.
   *
   * @param owner the command
   * @return completes when they are claimed, once a former command's Jobs are free; fails with
   *     {@code CONFLICT}, claiming none, if another command has one of them
   */
  public CompletableFuture<?> take(Object owner, List<JobClaim> claims) {
    List<CompletableFuture<?>> awaited = new ArrayList<>();
    synchronized (this) {
      for (JobClaim claim : claims) {
        Entry other = entries.get(claim.key());
        if (other == null || other.owner == owner) {
          continue;
        }
        if (other.free == null) {
          return CompletableFuture.failedFuture(conflict(claim, other.claim));
        }
        if (!other.free.isDone()) {
          awaited.add(other.free);
        }
      }
      if (awaited.isEmpty()) {
        claims.forEach(claim -> entries.put(claim.key(), new Entry(claim, owner)));
      } else {
        waiting.add(owner);
      }
    }
    if (!awaited.isEmpty()) {
      return CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new))
          .handle((_, _) -> takeAgain(owner, claims))
          .thenCompose(taken -> taken);
    }
    listener.onClaim(claims);
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<?> takeAgain(Object owner, List<JobClaim> claims) {
    synchronized (this) {
      if (!waiting.contains(owner)) {
        return CompletableFuture.failedFuture(
            new ClusterException(Reason.UNAVAILABLE, "the command that claims Jobs has ended"));
      }
    }
    return take(owner, claims);
  }

  private static ClusterException conflict(JobClaim claim, JobClaim other) {
    return new ClusterException(
        Reason.CONFLICT,
        "Job \"%s\" is already being run by %s; stint wait %s waits for it"
            .formatted(claim.name(), other.by(), claim.name()));
  }

  /** Drops the claims of a command that has ended in order. */
  public synchronized void release(Object owner) {
    entries.values().removeIf(entry -> entry.owner == owner);
    waiting.remove(owner);
  }

  /** Leaves the Jobs of a command that has gone without a word. */
  public void leave(Object owner) {
    List<JobClaim> left = new ArrayList<>();
    CompletableFuture<@Nullable Void> free = new CompletableFuture<>();
    synchronized (this) {
      waiting.remove(owner);
      for (Entry entry : entries.values()) {
        if (entry.owner == owner) {
          entry.free = free;
          left.add(entry.claim);
        }
      }
    }
    if (!left.isEmpty()) {
      listener.onLeave(left).whenComplete((_, _) -> free.complete(null));
    }
  }

  /** Records that no pod of Jobs that were left runs any more; they can still be ended. */
  public synchronized void settle(List<JobClaim> left) {
    entries.values().stream()
        .filter(entry -> entry.free != null && left.contains(entry.claim))
        .forEach(entry -> entry.owner = NOBODY);
  }

  /** Drops claims that no command has any more. */
  public synchronized void forget(List<JobClaim> left) {
    entries.values().removeIf(entry -> entry.free != null && left.contains(entry.claim));
  }

  /** Records the uid of a claimed Job, once it was created. */
  synchronized void bind(Object owner, KubeObject job) {
    Entry entry = entries.get(JobClaim.key(job.namespace(), job.name()));
    if (entry != null && entry.owner == owner) {
      entry.uid = job.uid();
    }
  }

  /**
   * True if the holder works on a Job: a command has claimed it, or it was left and is to end,
   * since its pods still run.
   */
  public synchronized boolean covers(KubeObject job) {
    Entry entry = entries.get(JobClaim.key(job.namespace(), job.name()));
    return entry != null && (entry.free == null || isToEnd(job));
  }

  /** True if a Job is deleted, suspended, or about to be Failed, since it was cancelled. */
  private static boolean isToEnd(KubeObject job) {
    return job.deletionTimestamp() != null
        || Boolean.TRUE.equals(Json.bool(job.spec(), "suspend"))
        || JobStatus.read(job.status()).isTrue(JobCondition.FAILURE_TARGET);
  }

  /** True if the holder starts a pod, or ends it: see {@link #covers}. */
  public synchronized boolean coversPod(KubeObject pod) {
    Entry entry = entryOfPod(pod);
    return entry != null && (entry.free == null || pod.deletionTimestamp() != null);
  }

  /** Returns the claim of a pod's Job, also of one that was left. */
  public synchronized Optional<JobClaim> ofPod(KubeObject pod) {
    return Optional.ofNullable(entryOfPod(pod)).map(entry -> entry.claim);
  }

  /** Returns null for a Job of the same name that others have made. */
  private @Nullable Entry entryOfPod(KubeObject pod) {
    Entry entry = entries.get(JobClaim.keyOfPod(pod));
    return entry == null || (entry.uid != null && !entry.uid.equals(pod.controllerUid()))
        ? null
        : entry;
  }

  /** True if an owner that fulfils a condition has the Job of a pod, or has left it. */
  public synchronized boolean ownerOfPod(KubeObject pod, Predicate<Object> condition) {
    Entry entry = entries.get(JobClaim.keyOfPod(pod));
    return entry != null && condition.test(entry.owner);
  }

  /** True if another command has claimed a Job, or has left one whose pods run. */
  public synchronized boolean hasOthers(Object owner) {
    return entries.values().stream()
        .anyMatch(entry -> entry.owner != owner && entry.owner != NOBODY);
  }

  /** Returns the keys of the claimed Jobs whose commands are there. */
  public synchronized Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    entries.forEach((key, entry) -> {
      if (entry.free == null) {
        keys.add(key);
      }
    });
    return keys;
  }
}
