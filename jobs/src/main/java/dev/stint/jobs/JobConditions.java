package dev.stint.jobs;

import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Renders the conditions of a Job as JSON. */
public final class JobConditions {
  private JobConditions() {}

  /** Returns one object per condition, with {@code at} for the time of its last transition. */
  public static ArrayNode json(List<JobCondition> conditions) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (JobCondition condition : conditions) {
      ObjectNode each = Json.object().put("type", condition.type());
      each.put("status", condition.status());
      each.put("reason", condition.reason()).put("message", condition.message());
      if (condition.transition() != null) {
        each.put("at", Timestamps.format(condition.transition()));
      }
      list.add(each);
    }
    return list;
  }
}
