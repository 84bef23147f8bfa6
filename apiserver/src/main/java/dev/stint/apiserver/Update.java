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
    boolean relabelled =
        !Trees.same(Metadata.of(old).get("labels"), Metadata.of(after).get("labels"));
    if (!shareSpec(old, after) || relabelled) {
      prepare(strategy, old, after);
    }
    if (Trees.same(after, old)) {
      return Outcome.Keep.KEEP;
    }
    if (!Trees.same(after.get("spec"), old.get("spec"))) {
      Metadata.bumpGeneration(after);
    }
    List<FieldError> faults = new ArrayList<>(strategy.validateUpdate(old, after));
    faults.addAll(Metadata.finalizersAdded(old, after));
    refuse(strategy, old, faults);
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
    strategy.prepareStatus(old, after);
    if (Trees.same(after, old)) {
      return Outcome.Keep.KEEP;
    }
    refuse(strategy, old, strategy.validateStatus(old, after));
    return new Outcome.Write(after);
  }

  /** Makes a spec that says the same the very same, and tells whether it is. */
  private static boolean shareSpec(ObjectNode before, ObjectNode after) {
    JsonNode spec = before.get("spec");
    if (spec == null || !Trees.same(spec, after.get("spec"))) {
      return false;
    }
    after.set("spec", spec);
    return true;
  }

  private static void prepare(Strategy strategy, ObjectNode before, ObjectNode after) {
    JsonNode spec = after.get("spec");
    if (spec != null) {
      after.set("spec", spec.deepCopy());
    }
    strategy.prepareUpdate(before, after);
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
