package dev.stint.console;

import dev.stint.cluster.ClusterException;
import dev.stint.console.stream.ChangeFeed.Frame;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The CronJobs of all namespaces, in the list of Jobs. */
final class CronJobRows implements AutoCloseable {
  private final FollowedRows<Row> rows;
  private volatile @Nullable ClusterException refused;

  /** One CronJob. */
  record Row(String name, ObjectNode tree) {}

  /**
   * @param changed runs whenever there is something to take; short
   */
  CronJobRows(ConsoleOptions options, Runnable changed) {
    this.rows = new FollowedRows<>(options, Kind.CRON_JOB, CronJobRows::row, changed);
  }

  /** Reads all CronJobs and follows them; if that is refused, the frame says why. Blocks. */
  void start() {
    try {
      rows.start();
      rows.failure().thenAccept(this::refuse);
    } catch (ClusterException why) {
      refuse(why);
    }
  }

  private void refuse(ClusterException why) {
    refused = why;
    rows.markChanged();
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
    return new Row(cronJob.namespace() + "/" + cronJob.name(), tree);
  }

  private static void copy(@Nullable ObjectNode from, ObjectNode tree, String... members) {
    for (String member : members) {
      JsonNode value = from == null ? null : from.get(member);
      if (value != null) {
        tree.set(member, value);
      }
    }
  }

  /** Returns all CronJobs if one has changed; otherwise nothing. */
  List<Frame> take() {
    List<Row> taken = rows.take();
    if (taken == null) {
      return List.of();
    }
    ObjectNode frame = Json.object();
    ArrayNode list = frame.putArray("cronJobs");
    taken.stream().sorted(Comparator.comparing(Row::name)).forEach(row -> list.add(row.tree()));
    ClusterException why = refused;
    if (why != null) {
      frame.put("refused", MissingRights.explain("cannot read the CronJobs", why));
    }
    return List.of(new Frame("cronjobs", frame));
  }

  @Override
  public void close() {
    rows.close();
  }
}
