package dev.stint.apiserver;

import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.apiserver.patch.ManagedFieldsRules;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.meta.MetadataRules;
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
    ObjectNode changed = Metadata.edit(wanted);
    if (!strategy.allowsUnconditionalUpdate()) {
      refuseUnconditional(strategy, old, wanted);
    }
    changed.set("apiVersion", old.get("apiVersion"));
    changed.set("kind", old.get("kind"));
    Metadata.carry(old, changed);
    if (strategy.hasStatus()) {
      Metadata.copy("status", old, changed);
    }
    keepOrOwnSpec(old, changed);
    List<FieldError> faults = new ArrayList<>(strategy.update(old, changed));
    faults.addAll(ManagedFieldsRules.check(before, wanted, strategy.apiVersion()));
    faults.addAll(Metadata.finalizersAdded(old, changed));
    refuse(strategy, old, metadataTwice(faults));
    ObjectNode after = StoredForm.of(changed, old);
    if (Trees.same(after, old)) {
      return Outcome.Keep.KEEP;
    }
    if (!Trees.same(after.get("spec"), old.get("spec"))) {
      Metadata.countGeneration(old, after);
    }
    return outcome(strategy, after);
  }

  private static void refuseUnconditional(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    if (Preconditions.of(wanted).resourceVersion() == null) {
      Faults faults = new Faults();
      faults.invalid("metadata.resourceVersion", "must be specified for an update");
      refuse(strategy, before, faults.list());
    }
  }

  /** Replaces the status and metadata. Throws {@code INVALID} where the change is refused. */
  static Outcome status(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode old = Metadata.edit(before);
    ObjectNode after = Metadata.edit(before);
    after.set("metadata", Metadata.of(Metadata.edit(wanted)));
    Metadata.carry(old, after);
    Metadata.copy(ManagedFields.MEMBER, Metadata.of(old), Metadata.of(after));
    after.set("status", Json.copyOf(Json.objectAt(wanted, "status")));
    return subresource(strategy, old, after, strategy.updateStatus(old, after));
  }

  /**
   * Replaces {@code spec.finalizers}, which hold a namespace that is being deleted, and metadata.
   * Throws {@code INVALID} where the change is refused.
   */
  static Outcome finalizers(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode old = Metadata.edit(before);
    ObjectNode after = Metadata.edit(before);
    after.set("metadata", Metadata.of(Metadata.edit(wanted)));
    Metadata.carry(old, after);
    Metadata.copy(ManagedFields.MEMBER, Metadata.of(old), Metadata.of(after));
    ObjectNode spec = Json.copyOf(Json.objectAt(before, "spec"));
    Metadata.copy("finalizers", Json.copyOf(Json.objectAt(wanted, "spec")), spec);
    after.set("spec", spec);
    return subresource(strategy, old, after, strategy.updateFinalizers(old, after));
  }

  /** The outcome of a write to a subresource, whose metadata is checked for all kinds alike. */
  private static Outcome subresource(
      Strategy strategy, ObjectNode old, ObjectNode after, List<FieldError> own)
      throws ClusterException {
    Faults faults = new Faults();
    MetadataRules.updateStatus(
        At.root(old).get("metadata"), At.root(after).get("metadata"), faults);
    faults.addAll(own);
    faults.addAll(Metadata.finalizersAdded(old, after));
    refuse(strategy, old, metadataTwice(faults.list()));
    ObjectNode stored = StoredForm.of(after, old);
    return Trees.same(stored, old) ? Outcome.Keep.KEEP : outcome(strategy, stored);
  }

  /**
   * An outcome with the managed fields of the document that was wanted; none where only their times
   * differ.
   */
  static Outcome managed(Outcome outcome, ObjectNode before, ObjectNode wanted) {
    ObjectNode old = Metadata.edit(before);
    ObjectNode after =
        switch (outcome) {
          case Outcome.Keep _ -> Metadata.edit(before);
          case Outcome.Write(ObjectNode tree) -> tree;
          case Outcome.Remove(ObjectNode last, boolean _) -> last;
        };
    Metadata.copy(ManagedFields.MEMBER, Metadata.of(wanted), Metadata.of(after));
    if (outcome instanceof Outcome.Remove) {
      return outcome;
    }
    ObjectNode timed = Metadata.edit(after);
    if (ManagedFields.sameButTimes(Metadata.of(old), Metadata.of(timed))) {
      Metadata.copy(ManagedFields.MEMBER, Metadata.of(old), Metadata.of(timed));
    }
    return Trees.same(timed, old) ? Outcome.Keep.KEEP : new Outcome.Write(after);
  }

  private static Outcome outcome(Strategy strategy, ObjectNode after) {
    return endsDeletion(strategy, after)
        ? new Outcome.Remove(after, false)
        : new Outcome.Write(after);
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
  private static boolean endsDeletion(Strategy strategy, ObjectNode after) {
    Long grace = Metadata.gracePeriodSeconds(after);
    return Metadata.deleting(after)
        && !Metadata.held(after)
        && !strategy.held(after)
        && (grace == null || grace == 0);
  }

  /** Kubernetes checks metadata for all kinds alike, then again with each kind, and tells both. */
  private static List<FieldError> metadataTwice(List<FieldError> faults) {
    if (faults.isEmpty()) {
      return faults;
    }
    List<FieldError> all =
        new ArrayList<>(faults.stream().filter(f -> f.path().startsWith("metadata.")).toList());
    all.addAll(faults);
    return all;
  }

  private static void refuse(Strategy strategy, ObjectNode object, List<FieldError> faults)
      throws ClusterException {
    if (!faults.isEmpty()) {
      String name = Json.text(Metadata.of(object), "name");
      throw Errors.invalid(strategy.kind(), name == null ? "" : name, faults);
    }
  }
}
