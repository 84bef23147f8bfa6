package dev.stint.conformance.histories;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fate of one Job, step by step, and what a controller made of it.
 *
 * @param job the Job as it was created
 * @param made what new pods look like ({@link PodText#made})
 * @param end when it was last observed, like {@link Step#at}
 */
record JobHistory(int id, ObjectNode job, List<Step> steps, List<String> made, long end) {
  /**
   * One step.
   *
   * @param at when it happened, in milliseconds since the full second before the first step
   */
  record Step(long at, HistoryAction fate, Outcome outcome) {
    private static Step read(ObjectNode tree) {
      return new Step(
          Objects.requireNonNull(Json.longInteger(tree, "at")),
          HistoryAction.read(tree),
          new Outcome(
              texts(tree, "statuses"), Objects.requireNonNullElse(Json.text(tree, "now"), "")));
    }

    private ObjectNode write() {
      ObjectNode tree = Json.object().put("at", at);
      fate.write(tree);
      write(tree, "statuses", outcome.statuses());
      return tree.put("now", outcome.pods());
    }

    private static void write(ObjectNode tree, String name, List<String> texts) {
      if (!texts.isEmpty()) {
        ArrayNode list = tree.putArray(name);
        texts.forEach(list::add);
      }
    }
  }

  /**
   * The outcome of a step.
   *
   * @param statuses the statuses that were written, in order ({@link StatusText})
   * @param pods the pods in the end ({@link JobObserver#podsText})
   */
  record Outcome(List<String> statuses, String pods) {
    Outcome {
      statuses = List.copyOf(statuses);
    }
  }

  JobHistory {
    steps = List.copyOf(steps);
    made = List.copyOf(made);
  }

  static JobHistory read(String line) {
    ObjectNode tree = Json.parse(line);
    List<Step> steps = new ArrayList<>();
    Objects.requireNonNull(Json.arrayAt(tree, "steps"))
        .forEach(step -> steps.add(Step.read((ObjectNode) step)));
    return new JobHistory(
        Objects.requireNonNull(Json.integer(tree, "id")),
        Objects.requireNonNull(Json.objectAt(tree, "job")),
        steps,
        texts(tree, "made"),
        Objects.requireNonNull(Json.longInteger(tree, "end")));
  }

  /** Returns a list of texts; empty if there is none. */
  static List<String> texts(ObjectNode tree, String name) {
    ArrayNode list = Json.arrayAt(tree, name);
    return list == null ? List.of() : list.valueStream().map(JsonNode::stringValue).toList();
  }

  String write() {
    ObjectNode tree = Json.object().put("id", id);
    tree.set("job", job);
    ArrayNode list = tree.putArray("steps");
    steps.forEach(step -> list.add(step.write()));
    Step.write(tree, "made", made);
    return tree.put("end", end).toString();
  }
}
