package dev.stint.console;

import dev.stint.cluster.ClusterException;
import dev.stint.console.ChangeFeed.Frame;
import dev.stint.jobs.Follower;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The CronJobs of all namespaces, in the list of Jobs. */
final class CronJobRows implements Follower.Listener<CronJobRows.Row>, AutoCloseable {
  private final Runnable changed;
  private final Follower<Row> follower;
  private final Map<String, Row> rows = new TreeMap<>();
  private @Nullable ClusterException refused;
  private boolean pending = true;

  /** One CronJob. */
  record Row(String uid, String name, ObjectNode tree) {}

  /**
   * @param changed runs whenever there is something to take; short
   */
  CronJobRows(ConsoleOptions options, Runnable changed) {
    this.changed = changed;
    this.follower =
        new Follower<>(
            options.cluster(),
            Kind.CRON_JOB,
            null,
            options.timers(),
            options.randoms().get(),
            CronJobRows::row,
            this);
  }

  /** Reads all CronJobs and follows them; if that is refused, the frame says why. Blocks. */
  void start() {
    try {
      follower.start();
      follower.failure().thenAccept(this::refuse);
    } catch (ClusterException why) {
      refuse(why);
    }
  }

  private void refuse(ClusterException why) {
    synchronized (this) {
      refused = why;
      pending = true;
    }
    changed.run();
  }

  static Row row(KubeObject cronJob) {
    ObjectNode tree = Json.object().put("uid", cronJob.uid());
    tree.put("namespace", cronJob.namespace()).put("name", cronJob.name());
    copy(cronJob.spec(), tree, "schedule", "timeZone", "suspend");
    copy(cronJob.status(), tree, "lastScheduleTime", "lastSuccessfulTime");
    ArrayNode active = tree.putArray("active");
    JsonNode running = Json.arrayAt(cronJob.status(), "active");
    for (int i = 0; running != null && i < running.size(); i++) {
      String job = Json.text(running.get(i), "name");
      if (job != null) {
        active.add(job);
      }
    }
    return new Row(cronJob.uid(), cronJob.namespace() + "/" + cronJob.name(), tree);
  }

  private static void copy(@Nullable ObjectNode from, ObjectNode tree, String... members) {
    for (String member : members) {
      JsonNode value = from == null ? null : from.get(member);
      if (value != null) {
        tree.set(member, value);
      }
    }
  }

  @Override
  public void onUpdate(Row row) {
    synchronized (this) {
      rows.put(row.uid(), row);
      pending = true;
    }
    changed.run();
  }

  @Override
  public void onDelete(Row last) {
    synchronized (this) {
      rows.remove(last.uid());
      pending = true;
    }
    changed.run();
  }

  /** Returns all CronJobs if one has changed; otherwise nothing. */
  synchronized List<Frame> take() {
    if (!pending) {
      return List.of();
    }
    pending = false;
    ObjectNode frame = Json.object();
    ArrayNode list = frame.putArray("cronJobs");
    rows.values().stream()
        .sorted(Comparator.comparing(Row::name))
        .forEach(row -> list.add(row.tree()));
    if (refused != null) {
      frame.put("refused", MissingRights.explain("cannot read the CronJobs", refused));
    }
    return List.of(new Frame("cronjobs", frame));
  }

  @Override
  public void close() {
    follower.close();
  }
}
