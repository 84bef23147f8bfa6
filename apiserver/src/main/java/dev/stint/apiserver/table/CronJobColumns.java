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
                      "The schedule, in cron format.",
                      o -> o.get("spec", "schedule").text()),
                  Column.text(
                      "Timezone",
                      "The time zone of the schedule.",
                      o -> Column.orNone(o.get("spec", "timeZone").text())),
                  new Column(
                      "Suspend",
                      "boolean",
                      "",
                      false,
                      "Whether the schedule is suspended.",
                      (o, now) -> StringNode.valueOf(suspended(o))),
                  Column.number(
                      "Active",
                      "integer",
                      "The number of running Jobs.",
                      o -> o.get("status", "active").items().size()),
                  Column.timed(
                      "Last Schedule",
                      "How long ago the last Job was scheduled.",
                      (o, now) -> {
                        FieldPath last = o.get("status", "lastScheduleTime");
                        return last.exists() ? AgeFormat.since(last.text(), now) : Column.NONE;
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
