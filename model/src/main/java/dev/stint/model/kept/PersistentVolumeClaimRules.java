package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.ClaimTemplateRules;
import dev.stint.model.pod.Defaults;
import dev.stint.model.pod.ResourceDefaults;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of persistent volume claims. No controller binds them. */
public final class PersistentVolumeClaimRules implements KeptRules {
  private static final List<String> NAMED_ONCE = List.of("volumeName", "storageClassName");
  private static final String IMMUTABLE =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName"
          + " for bound claims";

  @Override
  public void complete(ObjectNode claim, @Nullable ObjectNode stored) {
    if (stored == null) {
      claim.putObject("status").put("phase", "Pending");
    }
    ObjectNode spec = Json.objectAt(claim, "spec");
    if (spec == null || stored != null && spec == stored.get("spec")) {
      return;
    }
    Defaults.optionalText(spec, "volumeMode", "Filesystem");
    ResourceDefaults.roundUp(Json.objectAt(spec, "resources"));
    mirrorSources(spec);
  }

  /** Keeps the old and the new name of the source of a claim's data in agreement. */
  private static void mirrorSources(ObjectNode spec) {
    ObjectNode old = Json.objectAt(spec, "dataSource");
    ObjectNode source = Json.objectAt(spec, "dataSourceRef");
    if (old != null && source == null) {
      spec.set("dataSourceRef", old.deepCopy());
    } else if (old == null && source != null && Json.text(source, "namespace") == null) {
      spec.set("dataSource", source.deepCopy());
    }
  }

  @Override
  public void check(FieldPath root, FieldErrors faults) {
    ClaimTemplateRules.spec(root.get("spec"), faults);
  }

  @Override
  public void checkChange(FieldPath before, FieldPath after, FieldErrors faults) {
    FieldPath old = before.get("spec");
    FieldPath spec = after.get("spec");
    boolean bound = before.get("status", "phase").text().equals("Bound");
    if (!fixed(old, old, bound).equals(fixed(spec, old, bound))) {
      faults.forbidden(spec, IMMUTABLE);
    }
    FieldPath request = spec.get("resources", "requests", "storage");
    Quantity wanted = Quantity.parse(request.text());
    Quantity capacity = Quantity.parse(before.get("status", "capacity", "storage").text());
    boolean less = wanted != null && capacity != null && wanted.compareTo(capacity) < 0;
    if (less && !request.sameAs(old.get("resources", "requests", "storage"))) {
      faults.forbidden(request, "field can not be less than status.capacity");
    }
  }

  /**
   * Returns what must stay: a volume and a storage class may be named once, and a bound claim may
   * grow.
   *
   * @param old the specification before the change
   */
  private static ObjectNode fixed(FieldPath spec, FieldPath old, boolean bound) {
    ObjectNode fixed = spec.node() instanceof ObjectNode tree ? tree.deepCopy() : Json.object();
    for (String member : NAMED_ONCE) {
      if (!old.get(member).exists()) {
        fixed.remove(member);
      }
    }
    if (bound) {
      fixed.remove(List.of("resources", "volumeAttributesClassName"));
    }
    return fixed;
  }
}
