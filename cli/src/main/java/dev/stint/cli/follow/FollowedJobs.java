package dev.stint.cli.follow;

import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobCounts;
import dev.stint.model.KubeObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The newest states of the Jobs of a {@code run}, and the end of all of them. */
public final class FollowedJobs implements Follower.Listener<KubeObject> {
  /** The Jobs in the order of the request; null before the first state. */
  private final Map<String, @Nullable KubeObject> jobs = new LinkedHashMap<>();

  private final Set<String> deleted = new HashSet<>();
  private final CompletableFuture<@Nullable Void> finished = new CompletableFuture<>();
  private final CompletableFuture<JobOutcome> failed = new CompletableFuture<>();

  public FollowedJobs(List<RequestedJob> requested) {
    requested.forEach(job -> jobs.put(key(job.namespace(), job.name()), null));
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  /** True if it is one of the Jobs. */
  public synchronized boolean has(KubeObject job) {
    return jobs.containsKey(key(job.namespace(), job.name()));
  }

  @Override
  public void onUpdate(KubeObject job) {
    synchronized (this) {
      String key = key(job.namespace(), job.name());
      if (!jobs.containsKey(key) || deleted.contains(key)) {
        return;
      }
      jobs.put(key, job);
    }
    complete();
  }

  @Override
  public void onDelete(KubeObject last) {
    synchronized (this) {
      String key = key(last.namespace(), last.name());
      KubeObject known = jobs.get(key);
      if (known == null || !known.uid().equals(last.uid())) {
        return;
      }
      jobs.put(key, last);
      if (JobOutcome.of(last).isEmpty()) {
        deleted.add(key);
      }
    }
    complete();
  }

  private void complete() {
    inOrder().stream()
        .flatMap(job -> JobOutcome.of(job).stream())
        .filter(JobOutcome::hasFailed)
        .findFirst()
        .ifPresent(failed::complete);
    if (isFinished()) {
      finished.complete(null);
    }
  }

  private synchronized boolean isFinished() {
    return jobs.values().stream().allMatch(Objects::nonNull) && unfinished().isEmpty();
  }

  /** Completes when no Job is unfinished. */
  public CompletableFuture<@Nullable Void> finished() {
    return finished;
  }

  /** Completes with the outcome of a Job that has failed. */
  public CompletableFuture<JobOutcome> failed() {
    return failed;
  }

  /** Returns the Jobs in the order of the request. */
  public synchronized List<KubeObject> inOrder() {
    return jobs.values().stream().flatMap(job -> Stream.ofNullable(job)).toList();
  }

  public synchronized List<KubeObject> unfinished() {
    return inOrder().stream()
        .filter(job -> JobOutcome.of(job).isEmpty() && !isDeleted(job))
        .toList();
  }

  /** Returns the Jobs that were deleted before they finished. */
  public synchronized List<KubeObject> deleted() {
    return inOrder().stream().filter(this::isDeleted).toList();
  }

  private boolean isDeleted(KubeObject job) {
    return deleted.contains(key(job.namespace(), job.name()));
  }

  public JobCounts counts() {
    return inOrder().stream().map(JobCounts::ofWork).reduce(JobCounts.NONE, JobCounts::plus);
  }

  /** Returns the names for a line about all Jobs. */
  public synchronized String title() {
    return jobs.size() == 1
        ? Optional.ofNullable(jobs.values().iterator().next()).map(KubeObject::name).orElse("")
        : jobs.size() + " Jobs";
  }
}
