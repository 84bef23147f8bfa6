package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;

/** The columns of flow schemas and priority levels. */
final class FlowControlColumns {
  static final List<Column> FLOW_SCHEMAS =
      List.of(
          Column.named(),
          Column.text(
              "PriorityLevel",
              "The priority level of the requests that the schema matches.",
              o -> o.get("spec", "priorityLevelConfiguration", "name").text()),
          Column.number(
              "MatchingPrecedence",
              "string",
              "The place of the schema in the order in which schemas are tried; lowest first.",
              o -> o.get("spec", "matchingPrecedence").count()),
          Column.text(
              "DistinguisherMethod",
              "What separates the flows of the schema.",
              o -> Column.orNone(o.get("spec", "distinguisherMethod", "type").text())),
          Column.age(),
          Column.text(
              "MissingPL",
              "Whether the priority level does not exist, so that the schema matches nothing.",
              FlowControlColumns::isDangling));

  static final List<Column> PRIORITY_LEVELS =
      List.of(
          Column.named(),
          Column.text("Type", "Whether requests are limited.", o -> o.get("spec", "type").text()),
          Column.text(
              "NominalConcurrencyShares",
              "The share of the server's seats.",
              o -> amount(limits(o).get("nominalConcurrencyShares"))),
          Column.text("Queues", "How many queues there are.", o -> queuing(o, "queues")),
          Column.text("HandSize", "How many queues a flow may use.", o -> queuing(o, "handSize")),
          Column.text(
              "QueueLengthLimit",
              "How many requests may wait in a queue.",
              o -> queuing(o, "queueLengthLimit")),
          Column.age());

  private FlowControlColumns() {}

  private static String isDangling(FieldPath schema) {
    return schema.get("status", "conditions").items().stream()
        .filter(condition -> condition.get("type").text().equals("Dangling"))
        .map(condition -> condition.get("status").text())
        .findFirst()
        .orElse("?");
  }

  private static FieldPath limits(FieldPath level) {
    FieldPath spec = level.get("spec");
    return spec.get(spec.get("type").text().equals("Exempt") ? "exempt" : "limited");
  }

  private static String queuing(FieldPath level, String member) {
    return amount(level.get("spec", "limited", "limitResponse", "queuing", member));
  }

  private static String amount(FieldPath number) {
    return number.exists() ? Long.toString(number.count()) : Column.NONE;
  }
}
