package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.pod.ResourceDefaults;
import dev.stint.model.pod.ResourceRules;
import dev.stint.model.pod.TolerationRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of runtime classes. */
public final class RuntimeClassRules implements KeptRules {
  @Override
  public void complete(ObjectNode object, @Nullable ObjectNode stored) {
    ObjectNode overhead = Json.objectAt(object, "overhead");
    if (overhead != null) {
      ResourceDefaults.roundUp(overhead, "podFixed");
    }
  }

  @Override
  public void check(FieldPath root, FieldErrors faults) {
    faults.invalidUnlessSound(root.get("handler"), Formats.dnsLabel(root.get("handler").text()));
    ResourceRules.overhead(
        root.get("overhead", "podFixed").reportedAt(root.get("overhead")), faults);
    FieldPath scheduling = root.get("scheduling");
    for (FieldPath label : scheduling.get("nodeSelector").entries()) {
      faults.invalidUnlessSound(scheduling.get("nodeSelector"), Formats.qualifiedName(label.key()));
      faults.invalidUnlessSound(scheduling.get("nodeSelector"), Formats.labelValue(label.text()));
    }
    tolerations(scheduling.get("tolerations"), faults);
  }

  private static void tolerations(FieldPath tolerations, FieldErrors faults) {
    TolerationRules.check(tolerations, faults);
    Set<List<String>> seen = new HashSet<>();
    for (FieldPath each : tolerations.items()) {
      List<String> what =
          Stream.of("key", "operator", "value", "effect", "tolerationSeconds")
              .map(member -> each.get(member).node().asString(""))
              .toList();
      if (!seen.add(what)) {
        faults.duplicate(each, "stands here twice");
      }
    }
  }

  @Override
  public void checkChange(FieldPath before, FieldPath after, FieldErrors faults) {
    KeptRules.unchanged(before.get("handler"), after.get("handler"), faults);
  }
}
