package dev.stint.model.support;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules of an Event, by the core group's names of its fields.
 *
 * <p>An event with an {@code eventTime} must name its reporter and the action. One without has the
 * older form: it must only be in the namespace of its object.
 */
public final class EventRules {
  private static final String REPORTER = "reportingComponent";
  private static final String SHOWN_REPORTER = "reportingController";

  private static final List<String> OPEN_NAMESPACES = List.of("default", "kube-system");
  private static final List<String> TYPES = List.of("Normal", "Warning");
  private static final int LONGEST_WORD = 128;
  private static final int LONGEST_MESSAGE = 1024;

  /** Fields of the older form. */
  private static final List<String> DEPRECATED =
      List.of("firstTimestamp", "lastTimestamp", "count", "source");

  /** The immutable fields: all but a series, which grows. */
  private static final List<String> IMMUTABLE =
      List.of(
          "involvedObject",
          "reason",
          "message",
          REPORTER,
          "reportingInstance",
          "action",
          "type",
          "eventTime",
          "related",
          "firstTimestamp",
          "lastTimestamp",
          "count",
          "source");

  private EventRules() {}

  /** Adds the members that an event always has. */
  public static void complete(ObjectNode event) {
    for (String time : List.of("eventTime", "firstTimestamp", "lastTimestamp")) {
      if (!event.has(time)) {
        event.putNull(time);
      }
    }
    for (String reporter : List.of(REPORTER, "reportingInstance")) {
      if (!event.has(reporter)) {
        event.put(reporter, "");
      }
    }
    if (!event.has("source")) {
      event.putObject("source");
    }
  }

  /** Checks a new or changed event of the core group. */
  public static void check(FieldPath event, FieldErrors faults) {
    check(event, REPORTER, faults);
  }

  /** Checks a new event of the group events.k8s.io. */
  public static void createModern(FieldPath event, FieldErrors faults) {
    if (!event.get("eventTime").exists()) {
      faults.required(event.get("eventTime"), "");
    }
    if (!TYPES.contains(event.get("type").text())) {
      faults.invalid(event.get("type"), "has invalid value: " + event.get("type").text());
    }
    for (String member : DEPRECATED) {
      FieldPath at = event.get(member);
      boolean given = member.equals("source") ? !at.isEmpty() : at.exists();
      if (given && (!member.equals("count") || at.count() != 0)) {
        faults.invalid(at, "needs to be unset");
      }
    }
    check(event, SHOWN_REPORTER, faults);
    series(event.get("series"), faults);
  }

  /** Checks a changed event of the group events.k8s.io: only its series may change. */
  public static void updateModern(FieldPath before, FieldPath after, FieldErrors faults) {
    check(after, SHOWN_REPORTER, faults);
    series(after.get("series"), faults);
    for (String member : IMMUTABLE) {
      if (!before.get(member).sameAs(after.get(member))) {
        faults.invalid(member.equals(REPORTER) ? SHOWN_REPORTER : member, "field is immutable");
      }
    }
  }

  private static void check(FieldPath event, String reporterName, FieldErrors faults) {
    if (!event.get("eventTime").exists()) {
      sameNamespace(event, faults);
      return;
    }
    FieldPath about = event.get("involvedObject", "namespace");
    if (about.isEmpty() && !OPEN_NAMESPACES.contains(namespace(event))) {
      faults.invalid(about, "does not match event.namespace");
    }
    String reporter = event.get(REPORTER).text();
    if (reporter.isEmpty()) {
      faults.required(reporterName, "");
    }
    String complaint = Formats.qualifiedName(reporter);
    if (complaint != null) {
      faults.invalid(reporterName, complaint);
    }
    word(event.get("reportingInstance"), faults);
    word(event.get("action"), faults);
    word(event.get("reason"), faults);
    if (Formats.bytes(event.get("message").text()) > LONGEST_MESSAGE) {
      faults.invalid(event.get("message"), "can have at most " + LONGEST_MESSAGE + " characters");
    }
  }

  /**
   * Checks the namespace of an event. Events about objects without a namespace are in the namespace
   * default.
   */
  private static void sameNamespace(FieldPath event, FieldErrors faults) {
    FieldPath about = event.get("involvedObject", "namespace");
    String wanted = about.isEmpty() ? "default" : about.text();
    if (!namespace(event).equals(wanted)) {
      faults.invalid(about, "does not match event.namespace");
    }
  }

  private static String namespace(FieldPath event) {
    return event.get("metadata", "namespace").text();
  }

  private static void word(FieldPath at, FieldErrors faults) {
    if (at.isEmpty()) {
      faults.required(at, "");
    } else if (Formats.bytes(at.text()) > LONGEST_WORD) {
      faults.invalid(at, "can have at most " + LONGEST_WORD + " characters");
    }
  }

  private static void series(FieldPath series, FieldErrors faults) {
    if (!series.exists()) {
      return;
    }
    if (series.get("count").count() < 2) {
      faults.invalid(series.get("count"), "should be at least 2");
    }
    if (!series.get("lastObservedTime").exists()) {
      faults.required(series.get("lastObservedTime"), "");
    }
  }
}
