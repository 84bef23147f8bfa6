package dev.stint.cli.follow;

import dev.stint.cli.report.JobOutcome;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.embedded.share.JobClaim;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobCounts;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The newest states of the Jobs of a {@code run}, and the end of all of them. */
public final class FollowedJobs implements Follower.Listener<KubeObject> {
  /** The Jobs in the order of the request; null before the first state. */
  private final Map<String, @Nullable KubeObject> jobs = new LinkedHashMap<>();

  private final List<RequestedJob> requested;
  private final Set<String> deleted = new HashSet<>();
  private final List<Follower.Listener<KubeObject>> others = new CopyOnWriteArrayList<>();
  private final CompletableFuture<@Nullable Void> finished = new CompletableFuture<>();
  private final CompletableFuture<JobOutcome> failed = new CompletableFuture<>();

  FollowedJobs(List<RequestedJob> requested) {
    this.requested = requested;
    requested.forEach(job -> jobs.put(JobClaim.key(job.namespace(), job.name()), null));
  }

  /** Makes a listener learn of each change, too. */
  public void addListener(Follower.Listener<KubeObject> other) {
    others.add(other);
  }

  /** Returns the number of the Jobs. */
  int size() {
    return requested.size();
  }

  /** True if it is one of the Jobs, or has the name of a pod of one. */
  boolean owns(ObjectRef object) {
    return requested.stream()
        .filter(job -> job.namespace().equals(object.namespace()))
        .anyMatch(job ->
            object.kind().equals(Kind.JOB)
                ? object.name().equals(job.name())
                : object.name().startsWith(job.name() + "-"));
  }

  @Override
  public void onUpdate(KubeObject job) {
    update(job);
    others.forEach(other -> other.onUpdate(job));
    complete();
  }

  @Override
  public void onDelete(KubeObject last) {
    delete(last);
    others.forEach(other -> other.onDelete(last));
    complete();
  }

  private synchronized void update(KubeObject job) {
    String key = JobClaim.key(job.namespace(), job.name());
    if (jobs.containsKey(key) && !deleted.contains(key)) {
      jobs.put(key, job);
    }
  }

  private synchronized void delete(KubeObject last) {
    String key = JobClaim.key(last.namespace(), last.name());
    KubeObject known = jobs.get(key);
    if (known != null && known.uid().equals(last.uid())) {
      jobs.put(key, last);
      if (JobOutcome.of(last).isEmpty()) {
        deleted.add(key);
      }
    }
  }

  private void complete() {
    if (isFinished()) {
      finished.complete(null);
      return;
    }
    inOrder().stream()
        .flatMap(job -> JobOutcome.of(job).stream())
        .filter(JobOutcome::hasFailed)
        .findFirst()
        .ifPresent(failed::complete);
  }

  private synchronized boolean isFinished() {
    return jobs.values().stream().allMatch(Objects::nonNull) && unfinished().isEmpty();
  }

  /** Completes when no Job is unfinished. */
  CompletableFuture<@Nullable Void> finished() {
    return finished;
  }

  /** Completes with the outcome of a Job that has failed while another one is unfinished. */
  CompletableFuture<JobOutcome> failed() {
    return failed;
  }

  /** Returns the Jobs in the order of the request. */
  synchronized List<KubeObject> inOrder() {
    return jobs.values().stream().flatMap(job -> Stream.ofNullable(job)).toList();
  }

  public synchronized List<KubeObject> unfinished() {
    return inOrder().stream()
        .filter(job -> JobOutcome.of(job).isEmpty() && !isDeleted(job))
        .toList();
  }

  /** Returns the Jobs that were deleted before they finished. */
  synchronized List<KubeObject> deleted() {
    return inOrder().stream().filter(this::isDeleted).toList();
  }

  private boolean isDeleted(KubeObject job) {
    return deleted.contains(JobClaim.key(job.namespace(), job.name()));
  }

  JobCounts counts() {
    return inOrder().stream().map(JobCounts::ofWork).reduce(JobCounts.NONE, JobCounts::plus);
  }

  /** Returns the names for a line about all Jobs. */
  public String title() {
    return size() == 1 ? requested.getFirst().name() : size() + " Jobs";
  }
}
