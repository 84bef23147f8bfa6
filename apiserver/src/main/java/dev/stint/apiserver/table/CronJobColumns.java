package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.StringNode;

/** The columns of cron jobs. */
final class CronJobColumns {
  static final List<Column> ALL =
      Stream.concat(
              Stream.of(
                  Column.named(),
                  Column.text(
                      "Schedule",
                      "When Jobs are started, in cron's form.",
                      o -> o.get("spec", "schedule").text()),
                  Column.text(
                      "Timezone",
                      "The time zone in which the schedule is read.",
                      o -> Column.orNone(o.get("spec", "timeZone").text())),
                  new Column(
                      "Suspend",
                      "boolean",
                      "",
                      false,
                      "Whether no more Jobs are started.",
                      (o, now) -> StringNode.valueOf(suspended(o))),
                  Column.number(
                      "Active",
                      "integer",
                      "How many of its Jobs are running.",
                      o -> o.get("status", "active").items().size()),
                  Column.timed(
                      "Last Schedule",
                      "How long ago a Job was last due and started.",
                      (o, now) -> {
                        FieldPath last = o.get("status", "lastScheduleTime");
                        return last.exists() ? Ages.since(last.text(), now) : Column.NONE;
                      }),
                  Column.age()),
              PodTemplates.columns("spec", "jobTemplate", "spec").stream())
          .toList();

  private CronJobColumns() {}

  /** Returns a text, although the column is declared as a boolean: clients rely on both. */
  private static String suspended(FieldPath cronJob) {
    FieldPath suspend = cronJob.get("spec", "suspend");
    return suspend.exists() ? suspend.isTrue() ? "True" : "False" : "<unset>";
  }
}
