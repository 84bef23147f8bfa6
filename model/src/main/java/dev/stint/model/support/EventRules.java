package dev.stint.model.support;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;

/** Rules of an Event: it is where the object is that it is about. */
public final class EventRules {
  private static final String ELSEWHERE = "default";

  private EventRules() {}

  /** Checks a new event. */
  public static void create(At root, Faults faults) {
    At about = root.get("involvedObject", "namespace");
    String own = root.get("metadata", "namespace").text();
    if (about.isEmpty() ? !own.equals(ELSEWHERE) : !about.text().equals(own)) {
      faults.invalid(
          about,
          about.isEmpty()
              ? "is needed, unless the event is in namespace " + ELSEWHERE
              : "must be the event's own namespace, \"" + own + "\"");
    }
  }
}
