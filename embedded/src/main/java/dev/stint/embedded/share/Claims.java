package dev.stint.embedded.share;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.KubeObject;
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
 * One command at a time has a Job. If a command goes without a word, its Jobs are interrupted, and
 * the next command may claim them.
 */
public final class Claims {
  /** Acts on changes of the claims. */
  public interface Listener {
    /** Called after Jobs were claimed, which may exist already, with pods that run. */
    void onClaim(List<JobClaim> claims);

    /**
     * Interrupts Jobs whose command has gone.
     *
     * @return completes when no pod of theirs is started any more
     */
    CompletableFuture<?> interrupt(List<JobClaim> claims);

    /** Completes when the pods of interrupted Jobs have ended, or nothing can end them yet. */
    CompletableFuture<?> stopped(List<JobClaim> claims);
  }

  /** A claim and its owner. */
  private static final class Entry {
    private final JobClaim claim;
    private final Object owner;

    /** The uid of the Job that the claim is about; null if it is not known yet. */
    private @Nullable String uid;

    /** Completes when no pod of the Job runs any more; null while the owner is there. */
    private @Nullable CompletableFuture<?> interruption;

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
   * @return completes when they are claimed, once the pods of a former command have ended; fails
   *     with {@code CONFLICT}, claiming none, if another command has one of them
   */
  public CompletableFuture<?> take(Object owner, List<JobClaim> claims) {
    List<CompletableFuture<?>> interruptions = new ArrayList<>();
    synchronized (this) {
      for (JobClaim claim : claims) {
        Entry other = entries.get(claim.key());
        if (other == null || other.owner == owner) {
          continue;
        }
        if (other.interruption == null) {
          return CompletableFuture.failedFuture(conflict(claim, other.claim));
        }
        if (!other.interruption.isDone()) {
          interruptions.add(other.interruption);
        }
      }
      if (interruptions.isEmpty()) {
        claims.forEach(claim -> entries.put(claim.key(), new Entry(claim, owner)));
      } else {
        waiting.add(owner);
      }
    }
    if (!interruptions.isEmpty()) {
      return CompletableFuture.allOf(interruptions.toArray(CompletableFuture[]::new))
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

  /** Interrupts the Jobs of a command that has gone without a word. */
  public void abandon(Object owner) {
    List<Entry> abandoned = new ArrayList<>();
    CompletableFuture<@Nullable Void> interruption = new CompletableFuture<>();
    synchronized (this) {
      waiting.remove(owner);
      for (Entry entry : entries.values()) {
        if (entry.owner == owner) {
          entry.interruption = interruption;
          abandoned.add(entry);
        }
      }
    }
    if (abandoned.isEmpty()) {
      return;
    }
    List<JobClaim> claims = abandoned.stream().map(entry -> entry.claim).toList();
    listener
        .interrupt(claims)
        .thenCompose(_ -> listener.stopped(claims))
        .whenComplete((_, _) -> {
          release(owner);
          interruption.complete(null);
        });
  }

  /** Records the uid of a claimed Job, once it was created. */
  synchronized void bind(Object owner, KubeObject job) {
    Entry entry = entries.get(JobClaim.key(job.namespace(), job.name()));
    if (entry != null && entry.owner == owner) {
      entry.uid = job.uid();
    }
  }

  /** True if a command has claimed the Job. */
  public synchronized boolean covers(KubeObject job) {
    return entries.containsKey(JobClaim.key(job.namespace(), job.name()));
  }

  /** True if a command has claimed the Job of a pod. */
  public boolean coversPod(KubeObject pod) {
    return ofPod(pod).isPresent();
  }

  /** Returns the claim of a pod's Job; empty for a Job of the same name that others have made. */
  public synchronized Optional<JobClaim> ofPod(KubeObject pod) {
    Entry entry = entries.get(JobClaim.keyOfPod(pod));
    return entry == null || (entry.uid != null && !entry.uid.equals(pod.controllerUid()))
        ? Optional.empty()
        : Optional.of(entry.claim);
  }

  /** True if a command whose owner fulfils a condition has claimed the Job of a pod. */
  public synchronized boolean ownerOfPod(KubeObject pod, Predicate<Object> condition) {
    Entry entry = entries.get(JobClaim.keyOfPod(pod));
    return entry != null && entry.interruption == null && condition.test(entry.owner);
  }

  /** True if another command has claimed a Job. */
  public synchronized boolean hasOthers(Object owner) {
    return entries.values().stream().anyMatch(entry -> entry.owner != owner);
  }

  /** Returns the keys of the claimed Jobs whose commands are there. */
  public synchronized Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    entries.forEach((key, entry) -> {
      if (entry.interruption == null) {
        keys.add(key);
      }
    });
    return keys;
  }
}
