package dev.stint.cli.file;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.GatedFields;
import dev.stint.model.pod.GatedPodFields;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the fields of a new object that an API server drops silently, since their feature gate is
 * off.
 */
final class DroppedFields {
  private static final FeatureGates ALL = new FeatureGates(EnumSet.allOf(Gate.class));

  private DroppedFields() {}

  /** Returns one text for each such field of a Job, a CronJob or a pod, its path first. */
  static List<String> of(KubeObject object, FeatureGates gates) {
    List<String> texts = new ArrayList<>();
    for (Gate gate : Gate.values()) {
      if (!gates.has(gate)) {
        ObjectNode left = object.copy();
        drop(left, ALL.with(gate, false));
        missing("", object.tree(), left)
            .forEach(path ->
                texts.add(path + ": dropped, because the feature gate " + gate + " is off"));
      }
    }
    return texts;
  }

  private static void drop(ObjectNode object, FeatureGates gates) {
    ObjectNode spec = Json.objectAt(object, "spec");
    if (Kind.CRON_JOB.kind().equals(Json.text(object, "kind"))) {
      spec = Json.objectAt(Json.objectAt(spec, "jobTemplate"), "spec");
    }
    if (spec != null && Kind.POD.kind().equals(Json.text(object, "kind"))) {
      GatedPodFields.drop(spec, null, gates);
    } else if (spec != null) {
      GatedFields.drop(spec, null, gates);
    }
  }

  private static List<String> missing(String path, JsonNode whole, @Nullable JsonNode left) {
    if (left == null) {
      return List.of(path);
    }
    List<String> found = new ArrayList<>();
    whole
        .properties()
        .forEach(member ->
            found.addAll(
                missing(
                    path.isEmpty() ? member.getKey() : path + "." + member.getKey(),
                    member.getValue(),
                    left.get(member.getKey()))));
    for (int i = 0; whole.isArray() && i < whole.size(); i++) {
      found.addAll(missing(path + "[" + i + "]", whole.get(i), left.get(i)));
    }
    return found;
  }
}
