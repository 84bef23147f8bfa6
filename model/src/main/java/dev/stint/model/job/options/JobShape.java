package dev.stint.model.job.options;

import dev.stint.model.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of a Job's specification on which options depend.
 *
 * @param successRules the number of rules of its success policy
 * @param perIndex whether failures are counted per index
 * @param limitsFailedIndexes whether the number of failed indexes is limited
 * @param restarts whether its containers restart in their pods
 * @param sharesMemory whether memory is set for the whole pod
 */
record JobShape(
    boolean indexed,
    @Nullable Integer completions,
    int successRules,
    boolean perIndex,
    boolean limitsFailedIndexes,
    boolean restarts,
    boolean sharesMemory) {
  static JobShape of(@Nullable ObjectNode spec) {
    ObjectNode pod = Json.objectAt(Json.objectAt(spec, "template"), "spec");
    ObjectNode resources = Json.objectAt(pod, "resources");
    ArrayNode rules = Json.arrayAt(Json.objectAt(spec, "successPolicy"), "rules");
    return new JobShape(
        "Indexed".equals(Json.text(spec, "completionMode")),
        Json.integer(spec, "completions"),
        rules == null ? 0 : rules.size(),
        Json.integer(spec, "backoffLimitPerIndex") != null,
        Json.integer(spec, "maxFailedIndexes") != null,
        "OnFailure".equals(Json.text(pod, "restartPolicy")),
        List.of("requests", "limits").stream()
            .anyMatch(kind -> Json.text(Json.objectAt(resources, kind), "memory") != null));
  }
}
