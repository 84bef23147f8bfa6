package dev.stint.console;

import dev.stint.cluster.ClusterException;
import dev.stint.console.stream.ChangeFeed;
import dev.stint.jobs.JobEvent;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The feed of a Job's page: the Job, its indexes, the throughput of its pods, and its events. */
final class JobFeed implements ChangeFeed {
  private static final int MOST_EVENTS = 50;

  private final LiveJobs.Lease lease;
  private final JobLive live;
  private final InstantSource clock;
  private final Runnable changed;
  private long version = -1;
  private long eventsVersion = -1;
  private long spansVersion;
  private @Nullable Throughput throughput;
  private @Nullable JsonNode job;
  private char @Nullable [] cells;
  private boolean reportedDeleted;
  private boolean begun;

  /**
   * @param lease closed with this feed
   * @param changed runs whenever there is something to take
   */
  JobFeed(LiveJobs.Lease lease, InstantSource clock, Runnable changed) {
    this.lease = lease;
    this.live = lease.live();
    this.clock = clock;
    this.changed = changed;
    live.addListener(changed);
  }

  @Override
  public List<Frame> take() {
    List<Frame> frames = new ArrayList<>();
    if (!begun) {
      begun = true;
      addFirst(frames);
      return frames;
    }
    live.startAll();
    synchronized (live) {
      KubeObject current = live.job();
      if (current != null && live.version() != version) {
        version = live.version();
        job(current, frames);
        cells(current, frames);
      }
      spans(frames);
      if (live.eventsVersion() != eventsVersion) {
        eventsVersion = live.eventsVersion();
        frames.add(new Frame("events", events()));
        if (current != null) {
          job(current, frames); // An event may say why the Job has no pods.
        }
      }
      if (live.isDeleted() != reportedDeleted) {
        reportedDeleted = live.isDeleted();
        frames.add(new Frame("deleted", Json.object().put("deleted", reportedDeleted)));
      }
    }
    return frames;
  }

  /** Adds the Job alone, so that the page has something to show while the pods are read. */
  private void addFirst(List<Frame> frames) {
    KubeObject current = live.job();
    if (current != null) {
      job(current, frames);
    }
    changed.run();
  }

  private void job(KubeObject current, List<Frame> frames) {
    ObjectNode now =
        JobPage.of(
            current, live.waiting(), live.failures(), live.events(MOST_EVENTS), clock.instant());
    if (!now.equals(job)) {
      job = now;
      frames.add(new Frame("job", now));
    }
  }

  private void cells(KubeObject current, List<Frame> frames) {
    JobSpec spec = JobSpec.read(Json.copyOf(current.spec()));
    Integer completions = spec.completions();
    if (!spec.isIndexed() || completions == null || completions > IndexMap.MOST) {
      cells = null;
      return;
    }
    JobStatus status = JobStatus.read(current.status());
    char[] now =
        IndexMap.of(
            completions,
            status.completedIndexes(),
            status.failedIndexes(),
            status.isFinished(),
            live.byIndex());
    char[] before = cells != null && cells.length == now.length ? cells : null;
    ArrayNode changes = IndexMap.changes(before, now);
    cells = now;
    if (before == null || !changes.isEmpty()) {
      ObjectNode frame = Json.object().put("size", completions).put("all", before == null);
      frame.set("set", changes);
      frames.add(new Frame("cells", frame));
    }
  }

  private void spans(List<Frame> frames) {
    Throughput current = live.throughput();
    boolean another = current != throughput;
    if (another || current.version() != spansVersion) {
      ObjectNode frame = current.changes(another ? 0 : spansVersion).put("all", another);
      throughput = current;
      spansVersion = current.version();
      frames.add(new Frame("spans", frame));
    }
  }

  private ObjectNode events() {
    ObjectNode frame = Json.object();
    ArrayNode list = frame.putArray("events");
    live.events(MOST_EVENTS).stream().map(JobEvent::json).forEach(list::add);
    ClusterException refused = live.eventsRefused();
    if (refused != null) {
      frame.put("refused", MissingRights.explain("cannot read the events", refused));
    }
    return frame;
  }

  @Override
  public boolean hasEnded() {
    return live.hasFailed();
  }

  @Override
  public void close() {
    live.removeListener(changed);
    lease.close();
  }
}
