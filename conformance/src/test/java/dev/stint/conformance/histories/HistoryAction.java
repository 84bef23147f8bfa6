package dev.stint.conformance.histories;

import dev.stint.model.Json;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One thing that happens to a Job or to its pods.
 *
 * @param pods the texts of the pods that it happens to ({@link PodText}); pods with the same text
 *     are interchangeable
 * @param with its details
 */
record HistoryAction(Verb verb, List<String> pods, ObjectNode with) {
  /** The kinds of actions, with their details. */
  enum Verb {
    /** The Job is created; only the first step of a history. */
    CREATE,
    /** Pods run: {@code ready}, {@code restarts}. */
    RUN,
    /** Pods stop: {@code exit}, {@code late}, {@code condition}. */
    STOP,
    /** Pods are deleted: {@code grace}. */
    DELETE,
    /** Pods are evicted: they get the condition {@code DisruptionTarget} and are deleted. */
    EVICT,
    /** Pods lose the finalizer of somebody else. */
    RELEASE,
    /** The Job is changed: a merge patch. */
    PATCH,
    /** The Job is deleted: {@code propagation}. */
    DELETE_JOB,
    /** Nothing happens until the time of the next step. */
    WAIT
  }

  HistoryAction {
    pods = List.copyOf(pods);
  }

  static HistoryAction of(Verb verb) {
    return new HistoryAction(verb, List.of(), Json.object());
  }

  static HistoryAction read(ObjectNode tree) {
    return new HistoryAction(
        Verb.valueOf(Objects.requireNonNull(Json.text(tree, "do")).toUpperCase(Locale.ROOT)),
        JobHistory.texts(tree, "pods"),
        Json.copyOf(Json.objectAt(tree, "with")));
  }

  void write(ObjectNode tree) {
    tree.put("do", verb.name().toLowerCase(Locale.ROOT));
    if (!pods.isEmpty()) {
      ArrayNode list = tree.putArray("pods");
      pods.forEach(list::add);
    }
    if (!with.isEmpty()) {
      tree.set("with", with);
    }
  }
}
