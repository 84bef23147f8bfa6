package dev.stint.console;

import dev.stint.console.stream.ChangeFeed;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobSummary;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The feed of the list of Jobs. */
final class ListFeed implements ChangeFeed, Follower.Listener<ListFeed.Row> {
  private final Follower<Row> follower;
  private final Runnable changed;
  private final Map<String, Row> news = new LinkedHashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private final CronJobRows cronJobs;
  private final DeviceRows devices;
  private boolean first = true;

  /** One Job in the list. */
  record Row(String uid, ObjectNode tree) {}

  /**
   * Creates the feed.
   *
   * @param changed runs whenever there is something to take; short
   */
  ListFeed(ConsoleOptions options, Runnable changed) {
    this.changed = changed;
    this.cronJobs = new CronJobRows(options, changed);
    this.devices = new DeviceRows(options, changed);
    this.follower = options.follower(Kind.JOB, null, job -> row(job, options.clock()), this);
    follower.failure().thenAccept(_ -> changed.run());
  }

  /**
   * Starts the follower, which reads all Jobs first. Blocks.
   *
   * @throws dev.stint.cluster.ClusterException if the API refuses it
   */
  ListFeed started() {
    follower.start();
    cronJobs.start();
    devices.start();
    return this;
  }

  private static Row row(KubeObject job, InstantSource clock) {
    ObjectNode tree = JobSummary.of(job, clock.instant()).json().put("uid", job.uid());
    return new Row(job.uid(), tree);
  }

  @Override
  public void onUpdate(Row row) {
    synchronized (this) {
      news.put(row.uid(), row);
      gone.remove(row.uid());
    }
    changed.run();
  }

  @Override
  public void onDelete(Row last) {
    synchronized (this) {
      news.remove(last.uid());
      gone.add(last.uid());
    }
    changed.run();
  }

  @Override
  public List<Frame> take() {
    List<Frame> frames = new ArrayList<>(takeJobs());
    frames.addAll(cronJobs.take());
    frames.addAll(devices.take());
    return frames;
  }

  private synchronized List<Frame> takeJobs() {
    if (!first && news.isEmpty() && gone.isEmpty()) {
      return List.of();
    }
    ObjectNode frame = Json.object().put("all", first);
    ArrayNode rows = frame.putArray("jobs");
    news.values().forEach(row -> rows.add(row.tree()));
    ArrayNode left = frame.putArray("gone");
    gone.forEach(left::add);
    news.clear();
    gone.clear();
    first = false;
    return List.of(new Frame("jobs", frame));
  }

  @Override
  public boolean hasEnded() {
    return follower.failure().isDone();
  }

  @Override
  public void close() {
    follower.close();
    cronJobs.close();
    devices.close();
  }
}
