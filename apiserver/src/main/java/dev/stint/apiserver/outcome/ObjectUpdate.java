package dev.stint.apiserver.outcome;

import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.apiserver.patch.ManagedFieldsRules;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.SemanticEquality;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.MetadataRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides an update. A patch is an update with the patched document; if that shares its spec with
 * the stored object, no time is spent on the spec.
 */
public final class ObjectUpdate {
  private ObjectUpdate() {}

  /**
   * Replaces everything but the status. Throws {@code INVALID} if the change is refused.
   *
   * @param before the stored object
   * @param wanted the document to replace it; not changed
   */
  public static ChangeOutcome main(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode old = MetadataDefaults.normal(before);
    ObjectNode changed = MetadataDefaults.edit(wanted);
    refuseUnconditional(strategy, old, wanted);
    changed.set("apiVersion", old.get("apiVersion"));
    changed.set("kind", old.get("kind"));
    MetadataDefaults.carry(old, changed);
    if (strategy.hasStatus()) {
      MetadataDefaults.copy("status", old, changed);
    }
    keepOrOwnSpec(old, changed);
    List<FieldError> faults = new ArrayList<>(strategy.update(old, changed));
    faults.addAll(
        ManagedFieldsRules.check(before, wanted, strategy.apiVersion(), strategy.shape()));
    faults.addAll(MetadataDefaults.finalizersAdded(old, changed));
    refuse(strategy, old, metadataTwice(faults));
    ObjectNode after = StoredForm.of(changed, old);
    if (SemanticEquality.areEqual(after, old)) {
      return ChangeOutcome.Keep.KEEP;
    }
    if (!SemanticEquality.areEqual(after.get("spec"), old.get("spec"))) {
      MetadataDefaults.countGeneration(old, after);
    }
    return outcome(strategy, after);
  }

  /**
   * Refuses a document that does not say which revision it is based on, if its kind requires that.
   * A patched document says it by itself: it was made of the stored one.
   */
  private static void refuseUnconditional(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    if (!strategy.allowsUnconditionalUpdate()
        && Preconditions.of(wanted).resourceVersion() == null) {
      FieldErrors faults = new FieldErrors();
      faults.invalid("metadata.resourceVersion", "must be specified for an update");
      refuse(strategy, before, faults.list());
    }
  }

  /** Replaces the status and metadata. Throws {@code INVALID} if the change is refused. */
  public static ChangeOutcome status(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    return status(strategy, before, wanted, strategy.wantedStatus(wanted));
  }

  /** Replaces the conditions and metadata. Throws {@code INVALID} if the change is refused. */
  public static ChangeOutcome conditions(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode status = Json.copyOf(Json.objectAt(before, "status"));
    MetadataDefaults.copy("conditions", Json.copyOf(Json.objectAt(wanted, "status")), status);
    return status(strategy, before, wanted, status);
  }

  private static ChangeOutcome status(
      Strategy strategy, ObjectNode before, ObjectNode wanted, @Nullable JsonNode status)
      throws ClusterException {
    ObjectNode old = MetadataDefaults.normal(before);
    refuseUnconditional(strategy, old, wanted);
    ObjectNode after = Json.copyOf(before);
    after.set("metadata", MetadataDefaults.metadata(wanted));
    MetadataDefaults.carry(old, after);
    MetadataDefaults.copy(
        ManagedFields.MEMBER, MetadataDefaults.of(old), MetadataDefaults.of(after));
    if (status == null) {
      after.remove("status");
    } else {
      after.set("status", status);
    }
    return subresource(strategy, old, after, strategy.updateStatus(old, after));
  }

  /**
   * Replaces the metadata and {@code spec.finalizers}, which hold a namespace that is being
   * deleted. Throws {@code INVALID} if the change is refused.
   */
  public static ChangeOutcome finalizers(Strategy strategy, ObjectNode before, ObjectNode wanted)
      throws ClusterException {
    ObjectNode old = MetadataDefaults.normal(before);
    ObjectNode after = Json.copyOf(before);
    after.set("metadata", MetadataDefaults.metadata(wanted));
    MetadataDefaults.carry(old, after);
    MetadataDefaults.copy(
        ManagedFields.MEMBER, MetadataDefaults.of(old), MetadataDefaults.of(after));
    ObjectNode spec = Json.copyOf(Json.objectAt(before, "spec"));
    MetadataDefaults.copy("finalizers", Json.copyOf(Json.objectAt(wanted, "spec")), spec);
    after.set("spec", spec);
    return subresource(strategy, old, after, strategy.updateFinalizers(old, after));
  }

  /**
   * Returns the outcome of a write to a subresource, whose metadata is validated for all kinds
   * alike.
   */
  private static ChangeOutcome subresource(
      Strategy strategy, ObjectNode old, ObjectNode after, List<FieldError> own)
      throws ClusterException {
    FieldErrors faults = new FieldErrors();
    MetadataRules.updateStatus(
        FieldPath.root(old).get("metadata"), FieldPath.root(after).get("metadata"), faults);
    faults.addAll(own);
    faults.addAll(MetadataDefaults.finalizersAdded(old, after));
    refuse(strategy, old, metadataTwice(faults.list()));
    ObjectNode stored = StoredForm.of(after, old);
    return SemanticEquality.areEqual(stored, old)
        ? ChangeOutcome.Keep.KEEP
        : outcome(strategy, stored);
  }

  /**
   * Returns an outcome with the managed fields of the wanted document; unchanged if only their
   * times differ.
   */
  public static ChangeOutcome managed(ChangeOutcome outcome, ObjectNode before, ObjectNode wanted) {
    ObjectNode old = MetadataDefaults.normal(before);
    ObjectNode after =
        switch (outcome) {
          case ChangeOutcome.Keep _ -> MetadataDefaults.edit(before);
          case ChangeOutcome.Write(ObjectNode tree) -> tree;
          case ChangeOutcome.Remove(ObjectNode last, boolean _) -> last;
        };
    MetadataDefaults.copy(
        ManagedFields.MEMBER, MetadataDefaults.of(wanted), MetadataDefaults.of(after));
    if (outcome instanceof ChangeOutcome.Remove) {
      return outcome;
    }
    ObjectNode timed = MetadataDefaults.edit(after);
    if (ManagedFields.sameButTimes(MetadataDefaults.of(old), MetadataDefaults.of(timed))) {
      MetadataDefaults.copy(
          ManagedFields.MEMBER, MetadataDefaults.of(old), MetadataDefaults.of(timed));
    }
    return SemanticEquality.areEqual(timed, old)
        ? ChangeOutcome.Keep.KEEP
        : new ChangeOutcome.Write(after);
  }

  private static ChangeOutcome outcome(Strategy strategy, ObjectNode after) {
    return endsDeletion(strategy, after)
        ? new ChangeOutcome.Remove(after, false)
        : new ChangeOutcome.Write(after);
  }

  /** Reuses the stored spec if the new one is equal, and copies it otherwise. */
  private static void keepOrOwnSpec(ObjectNode before, ObjectNode after) {
    JsonNode spec = after.get("spec");
    if (spec != null) {
      JsonNode old = before.get("spec");
      after.set(
          "spec", old != null && SemanticEquality.areEqual(old, spec) ? old : spec.deepCopy());
    }
  }

  /**
   * True if an object that is being deleted has lost its last finalizer, and has no grace period
   * left.
   */
  private static boolean endsDeletion(Strategy strategy, ObjectNode after) {
    Long grace = MetadataDefaults.gracePeriodSeconds(after);
    return MetadataDefaults.isDeleting(after)
        && !MetadataDefaults.hasFinalizers(after)
        && !strategy.isHeld(after)
        && (grace == null || grace == 0);
  }

  /**
   * Repeats the faults of the metadata: Kubernetes validates metadata for all kinds alike, then
   * again with each kind, and reports both.
   */
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
      String name = Json.text(MetadataDefaults.of(object), "name");
      throw ApiErrors.invalid(strategy.kind(), name == null ? "" : name, faults);
    }
  }
}
