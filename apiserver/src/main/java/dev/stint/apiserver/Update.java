package dev.stint.apiserver;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an update makes of an object. A patch is an update with the patched document; where that
 * shares its spec with the object before, no time is spent on the spec.
 */
final class Update {
  private Update() {}

  /**
   * Replaces all but the status. Throws {@code INVALID} where the change is refused.
   *
   * @param before the stored object
   * @param wanted the document to replace it; not changed
   */
  static Outcome main(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode old = Metadata.edit(before);
    ObjectNode after = Metadata.edit(wanted);
    after.set("apiVersion", old.get("apiVersion"));
    after.set("kind", old.get("kind"));
    Metadata.carry(old, after);
    if (strategy.hasStatus()) {
      Metadata.copy("status", old, after);
    }
    keepOrOwnSpec(old, after);
    List<FieldError> faults = new ArrayList<>(strategy.update(old, after));
    faults.addAll(Metadata.finalizersAdded(old, after));
    refuse(strategy, old, faults);
    if (Trees.same(after, old)) {
      return Outcome.Keep.KEEP;
    }
    if (!Trees.same(after.get("spec"), old.get("spec"))) {
      Metadata.countGeneration(old, after);
    }
    return endsDeletion(after) ? new Outcome.Remove(after) : new Outcome.Write(after);
  }

  /** Replaces the status and nothing else. Throws {@code INVALID} where the change is refused. */
  static Outcome status(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode old = Metadata.edit(before);
    ObjectNode after = Metadata.edit(before);
    ObjectNode status = Json.object();
    ObjectNode given = Json.objectAt(wanted, "status");
    if (given != null) {
      status.setAll(given);
    }
    after.set("status", status);
    refuse(strategy, old, strategy.updateStatus(old, after));
    return Trees.same(after, old) ? Outcome.Keep.KEEP : new Outcome.Write(after);
  }

  /** Makes a spec that says the same the very same, and any other our own. */
  private static void keepOrOwnSpec(ObjectNode before, ObjectNode after) {
    JsonNode spec = after.get("spec");
    if (spec != null) {
      JsonNode old = before.get("spec");
      after.set("spec", old != null && Trees.same(old, spec) ? old : spec.deepCopy());
    }
  }

  /** The last finalizer is off an object that only waited for that. */
  private static boolean endsDeletion(ObjectNode after) {
    Long grace = Metadata.gracePeriodSeconds(after);
    return Metadata.deleting(after) && !Metadata.held(after) && (grace == null || grace == 0);
  }

  private static void refuse(Strategy strategy, ObjectNode object, List<FieldError> faults)
      throws ClusterException {
    if (!faults.isEmpty()) {
      String name = Json.text(Metadata.of(object), "name");
      throw Errors.invalid(strategy.kind(), name == null ? "" : name, faults);
    }
  }
}
