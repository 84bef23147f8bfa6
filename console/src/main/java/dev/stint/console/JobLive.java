package dev.stint.console;

import dev.stint.cluster.ClusterException;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobEvent;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.Sidecars;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * A live view of one Job with its pods and events, kept up to date while a client uses it. Deleted
 * pods are restored from the records in the log tree, if that is on this machine.
 *
 * <p>Followers call in under their own locks; nothing here calls out under this object's lock.
 */
final class JobLive implements AutoCloseable {
  /** The number of failures, the newest, that are kept. */
  private static final int FAILURES_AT_HAND = 200;

  private static final Comparator<ConsolePod> BY_END =
      Comparator.comparing(
              (ConsolePod pod) -> Objects.requireNonNullElse(pod.finished(), Instant.MIN))
          .thenComparing(ConsolePod::uid);

  private final String namespace;
  private final String name;
  private final @Nullable LogTree logs;
  private final InstantSource clock;
  private final Follower<KubeObject> jobs;
  private final Follower<ConsolePod> podFollower;
  private final Follower<LiveEvent> eventFollower;
  private final Object starting = new Object();
  private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
  private final Map<String, ConsolePod> pods = new HashMap<>();
  private final Map<Integer, Map<String, ConsolePod>> byIndex = new HashMap<>();
  private final Map<String, ConsolePod> waiting = new HashMap<>();
  private final TreeSet<ConsolePod> failures = new TreeSet<>(BY_END);
  private final Map<String, LiveEvent> events = new HashMap<>();
  private final List<EndWaiter> endWaiters = new ArrayList<>();
  private Throughput throughput = new Throughput(Duration.ZERO);
  private @Nullable KubeObject job;
  private boolean started;
  private boolean startedAll;
  private boolean deleted;
  private boolean failed;
  private @Nullable ClusterException eventsRefused;
  private long version;
  private long eventsVersion;

  /** An event, with the object that it is about. */
  private record LiveEvent(String uid, String about, JobEvent event) {}

  /** A caller who waits for a run of a pod to end. */
  private record EndWaiter(String pod, int run, CompletableFuture<Boolean> done) {}

  /** Creates the view without any request. */
  JobLive(ConsoleOptions options, String namespace, String name) {
    this.namespace = namespace;
    this.name = name;
    this.logs = options.tree();
    this.clock = options.clock();
    this.jobs =
        Follower.ofObject(
            options.cluster(),
            new ObjectRef(Kind.JOB, namespace, name),
            options.timers(),
            options.randoms().get(),
            new JobListener());
    this.podFollower =
        options.follower(Kind.POD, namespace, pod -> ConsolePod.of(pod, name), new PodListener());
    this.eventFollower =
        options.follower(Kind.EVENT, namespace, this::ifAboutJob, new EventListener());
  }

  private @Nullable LiveEvent ifAboutJob(KubeObject event) {
    String about = JobEvent.about(event);
    return about != null && about.equals(uid())
        ? new LiveEvent(event.uid(), about, JobEvent.of(event))
        : null;
  }

  /**
   * Reads the Job, once. Blocks.
   *
   * @throws ClusterException if the API refuses it
   */
  void start() {
    synchronized (starting) {
      if (started) {
        return;
      }
      for (Follower<?> follower : List.of(jobs, podFollower)) {
        follower.failure().thenAccept(this::onFailure);
      }
      eventFollower.failure().thenAccept(this::onEventsFailure);
      jobs.start();
      started = true;
    }
  }

  /**
   * Reads the pods and events, once. Blocks, possibly for a while.
   *
   * @throws ClusterException if the API refuses it
   */
  void startAll() {
    synchronized (starting) {
      if (!startedAll) {
        restoreEnded();
        podFollower.start();
        followEvents();
        startedAll = true;
      }
    }
  }

  /**
   * Follows the events. The rights of a controller allow writing events, not reading them; then
   * everything else is still shown.
   */
  private void followEvents() {
    try {
      eventFollower.start();
    } catch (ClusterException refused) {
      if (refused.reason() != ClusterException.Reason.FORBIDDEN) {
        throw refused;
      }
      onEventsFailure(refused);
    }
  }

  private void onFailure(ClusterException cause) {
    synchronized (this) {
      failed = true;
    }
    notifyListeners();
  }

  private void onEventsFailure(ClusterException cause) {
    if (cause.reason() != ClusterException.Reason.FORBIDDEN) {
      onFailure(cause);
      return;
    }
    synchronized (this) {
      eventsRefused = cause;
      eventsVersion++;
    }
    notifyListeners();
  }

  /** Adds the pods that have ended, from their records in the log tree. */
  private void restoreEnded() {
    KubeObject current = job();
    if (logs == null || current == null) {
      return;
    }
    Map<String, List<ContainerAttemptView>> ended;
    try {
      ended = AttemptHistory.endedByPod(logs, current);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    Set<String> sidecars = Sidecars.of(current);
    ended.forEach(
        (uid, attempts) -> put(ConsolePod.ofRecords(uid, current.uid(), attempts, sidecars)));
  }

  /**
   * Keeps a pod, and shows it if it is one of the Job: pods of a deleted Job of the same name go
   * after it, and those of a new one may come before it.
   */
  private synchronized void put(ConsolePod pod) {
    ConsolePod before = pods.put(pod.uid(), pod);
    if (pod.job().equals(uid())) {
      show(pod, before);
    }
    version++;
    endWaiters.removeIf(each -> completeIfEnded(each, pod));
  }

  private void show(ConsolePod pod, @Nullable ConsolePod before) {
    index(pod);
    if (before != null) {
      failures.remove(before);
    }
    if (pod.state() == IndexCell.FAILED) {
      failures.add(pod);
      if (failures.size() > FAILURES_AT_HAND) {
        failures.removeFirst();
      }
    }
    if (pod.state() == IndexCell.WAITING && pod.explained() != null) {
      waiting.put(pod.uid(), pod);
    } else {
      waiting.remove(pod.uid());
    }
    if (before == null || !before.isCounted()) {
      count(pod);
    }
  }

  private void index(ConsolePod pod) {
    if (pod.index() != null) {
      byIndex.computeIfAbsent(pod.index(), _ -> new HashMap<>(2)).put(pod.uid(), pod);
    }
  }

  private void count(ConsolePod pod) {
    Instant finished = pod.finished();
    if (pod.isCounted() && finished != null) {
      throughput.add(finished, pod.state() == IndexCell.SUCCEEDED);
    }
  }

  /** Completes a waiter if what it waits for has ended; true if nobody waits any more. */
  private static boolean completeIfEnded(EndWaiter waiter, ConsolePod pod) {
    boolean ended =
        waiter.pod().equals(pod.name()) && (pod.hasEnded() || pod.attempts() > waiter.run() + 1);
    return ended && waiter.done().complete(true) || waiter.done().isDone();
  }

  private synchronized void remove(ConsolePod pod) {
    put(pod);
    if (!pod.hasEnded() || !pod.job().equals(uid())) {
      pods.remove(pod.uid());
      waiting.remove(pod.uid());
      Map<String, ConsolePod> ofIndex = pod.index() == null ? null : byIndex.get(pod.index());
      if (ofIndex != null) {
        ofIndex.remove(pod.uid());
      }
    }
    endWaiters.removeIf(each -> each.pod().equals(pod.name()) && each.done().complete(true));
  }

  private synchronized void put(KubeObject now) {
    boolean another = job == null || !job.uid().equals(now.uid());
    job = now;
    deleted = false;
    version++;
    if (another) {
      reset(now);
    } else if (throughput.version() == 0) {
      throughput = new Throughput(age(now));
    }
  }

  /** Resets the view for a Job that is new here; it may replace a deleted one of its name. */
  private void reset(KubeObject now) {
    throughput = new Throughput(age(now));
    byIndex.clear();
    failures.clear();
    waiting.clear();
    pods.values().removeIf(pod -> !pod.job().equals(now.uid()));
    pods.values().forEach(pod -> show(pod, null));
    events.values().removeIf(event -> !event.about().equals(now.uid()));
    eventsVersion++;
  }

  private Duration age(KubeObject now) {
    Instant created = now.creationTimestamp();
    return created == null ? Duration.ZERO : Duration.between(created, clock.instant());
  }

  private synchronized String uid() {
    return job == null ? "" : job.uid();
  }

  /** Returns the Job, current or last seen; null if there never was one. */
  synchronized @Nullable KubeObject job() {
    return job;
  }

  /** True if the Job was deleted. */
  synchronized boolean isDeleted() {
    return deleted;
  }

  /** True if the watch has failed, so that no more changes will arrive. */
  synchronized boolean hasFailed() {
    return failed;
  }

  /** Returns a number that grows with every change of the Job or its pods. */
  synchronized long version() {
    return version;
  }

  /** Returns a number that grows with every event. */
  synchronized long eventsVersion() {
    return eventsVersion;
  }

  synchronized Throughput throughput() {
    return throughput;
  }

  /** Returns the pods by index, then by uid. To be read under this object's lock. */
  synchronized Map<Integer, Map<String, ConsolePod>> byIndex() {
    return Collections.unmodifiableMap(byIndex);
  }

  /** Returns the names of the pods of an index, deleted ones included. */
  synchronized List<String> podsOf(int index) {
    return byIndex.getOrDefault(index, Map.of()).values().stream().map(ConsolePod::name).toList();
  }

  /** Returns the attempts that wait for something. */
  synchronized List<ContainerAttemptView> waiting() {
    return explanations(waiting.values());
  }

  /** Returns the newest failed attempts, up to a limit. */
  synchronized List<ContainerAttemptView> failures() {
    return explanations(failures);
  }

  private static List<ContainerAttemptView> explanations(Collection<ConsolePod> pods) {
    List<ContainerAttemptView> found = new ArrayList<>();
    for (ConsolePod pod : pods) {
      if (pod.explained() != null) {
        found.add(pod.explained());
      }
    }
    return found;
  }

  /** Returns the reason why events may not be read; null if they may. */
  synchronized @Nullable ClusterException eventsRefused() {
    return eventsRefused;
  }

  /** Returns the last events of the Job, in order. */
  synchronized List<JobEvent> events(int most) {
    List<JobEvent> ordered =
        events.values().stream().map(LiveEvent::event).sorted(JobEvent.IN_ORDER).toList();
    return ordered.subList(Math.max(0, ordered.size() - most), ordered.size());
  }

  /**
   * Completes when a run of a pod has ended; at once if there is no such pod.
   *
   * @param run the restart count of its container
   */
  synchronized CompletableFuture<Boolean> whenEnded(String pod, int run) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    EndWaiter waiter = new EndWaiter(pod, run, done);
    ConsolePod known =
        pods.values().stream().filter(each -> each.name().equals(pod)).findAny().orElse(null);
    if (known == null || completeIfEnded(waiter, known)) {
      done.complete(true);
    } else {
      endWaiters.add(waiter);
    }
    return done;
  }

  /** Returns the number of those who wait for the end of a run. */
  synchronized int waiters() {
    return endWaiters.size();
  }

  /** Registers a task that runs after every change; it must be short. */
  void addListener(Runnable task) {
    listeners.add(task);
  }

  void removeListener(Runnable task) {
    listeners.remove(task);
  }

  private void notifyListeners() {
    listeners.forEach(Runnable::run);
  }

  private final class JobListener implements Follower.Listener<KubeObject> {
    @Override
    public void onUpdate(KubeObject now) {
      JobLive.this.put(now);
      notifyListeners();
    }

    @Override
    public void onDelete(KubeObject last) {
      synchronized (JobLive.this) {
        if (last.uid().equals(uid())) {
          deleted = true;
          version++;
        }
      }
      notifyListeners();
    }
  }

  private final class PodListener implements Follower.Listener<ConsolePod> {
    @Override
    public void onUpdate(ConsolePod pod) {
      JobLive.this.put(pod);
      notifyListeners();
    }

    @Override
    public void onDelete(ConsolePod last) {
      JobLive.this.remove(last);
      notifyListeners();
    }
  }

  private final class EventListener implements Follower.Listener<LiveEvent> {
    @Override
    public void onUpdate(LiveEvent event) {
      synchronized (JobLive.this) {
        events.put(event.uid(), event);
        eventsVersion++;
      }
      notifyListeners();
    }

    @Override
    public void onDelete(LiveEvent last) {
      synchronized (JobLive.this) {
        events.remove(last.uid());
      }
    }
  }

  String namespace() {
    return namespace;
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    jobs.close();
    podFollower.close();
    eventFollower.close();
  }
}
