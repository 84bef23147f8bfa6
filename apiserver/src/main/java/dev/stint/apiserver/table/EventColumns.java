package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The columns of events. */
final class EventColumns {
  static final List<Column> ALL =
      List.of(
          Column.timed("Last Seen", "How long ago it last happened.", EventColumns::lastSeen),
          Column.text("Type", "Normal or Warning.", o -> o.get("type").text()),
          Column.text("Reason", "The reason, in one word.", o -> o.get("reason").text()),
          Column.text("Object", "The object that the event is about.", EventColumns::object),
          Column.text(
                  "Subobject",
                  "The part of the object that the event is about.",
                  o -> o.get("involvedObject", "fieldPath").text())
              .onlyWide(),
          Column.text("Source", "The component that reported the event.", EventColumns::source)
              .onlyWide(),
          Column.text(
              "Message", "The message, in one sentence.", o -> o.get("message").text().strip()),
          Column.timed(
                  "First Seen",
                  "How long ago it first happened.",
                  (o, now) -> AgeFormat.since(first(o), now))
              .onlyWide(),
          Column.number("Count", "string", "How often it happened.", EventColumns::count)
              .onlyWide(),
          Column.text("Name", "The name of the event.", o -> o.get("metadata", "name").text())
              .onlyWide());

  private EventColumns() {}

  private static String lastSeen(FieldPath event, Instant now) {
    FieldPath series = event.get("series", "lastObservedTime");
    String last = event.get("lastTimestamp").text();
    return AgeFormat.since(
        series.exists() ? series.text() : last.isEmpty() ? first(event) : last, now);
  }

  private static String first(FieldPath event) {
    FieldPath first = event.get("firstTimestamp");
    return first.exists() ? first.text() : event.get("eventTime").text();
  }

  private static long count(FieldPath event) {
    FieldPath series = event.get("series");
    return Math.max(1, series.exists() ? series.get("count").count() : event.get("count").count());
  }

  private static String object(FieldPath event) {
    FieldPath object = event.get("involvedObject");
    String kind = object.get("kind").text().toLowerCase(Locale.ROOT);
    String name = object.get("name").text();
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  private static String source(FieldPath event) {
    FieldPath source = event.get("source");
    return source.get("component").isEmpty()
        ? joined(event.get("reportingComponent"), event.get("reportingInstance"))
        : joined(source.get("component"), source.get("host"));
  }

  private static String joined(FieldPath who, FieldPath where) {
    return where.isEmpty() ? who.text() : who.text() + ", " + where.text();
  }
}
