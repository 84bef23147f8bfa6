package dev.stint.apiserver.outcome;

import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.SemanticEquality;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Json;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides a deletion: the object is removed at once, or marked as being deleted if a grace period
 * or a finalizer holds it.
 */
public final class DeletionOutcome {
  private DeletionOutcome() {}

  /**
   * @param before the stored object; not changed
   */
  public static ChangeOutcome decide(
      Strategy strategy, ObjectNode before, DeleteOptions options, Instant now) {
    ObjectNode old = MetadataDefaults.edit(before);
    ObjectNode after = MetadataDefaults.edit(before);
    propagate(after, propagation(strategy, after, options.propagation()));
    if (!MetadataDefaults.isDeleting(old)) {
      strategy.hold(after);
    }
    long grace = gracePeriodSeconds(strategy, after, options.gracePeriodSeconds());
    if (grace == 0 && !MetadataDefaults.hasFinalizers(after) && !strategy.isHeld(after)) {
      return removed(strategy, old, after, now);
    }
    mark(after, grace, now);
    strategy.markDeleting(after);
    if (SemanticEquality.areEqual(old, after)) {
      return ChangeOutcome.Keep.KEEP;
    }
    if (!MetadataDefaults.isDeleting(old)) {
      MetadataDefaults.countGeneration(old, after);
    }
    return new ChangeOutcome.Write(after);
  }

  /**
   * Returns the removal. An object whose kind has grace periods is marked first, even with a grace
   * period of 0, unless it already is marked so.
   */
  private static ChangeOutcome removed(
      Strategy strategy, ObjectNode old, ObjectNode after, Instant now) {
    Long running =
        MetadataDefaults.isDeleting(old) ? MetadataDefaults.gracePeriodSeconds(old) : null;
    if (!strategy.hasGracePeriod() || Objects.equals(running, 0L)) {
      return new ChangeOutcome.Remove(after, false);
    }
    mark(after, 0, now);
    if (!MetadataDefaults.isDeleting(old)) {
      MetadataDefaults.countGeneration(old, after);
    }
    return new ChangeOutcome.Remove(after, true);
  }

  /** Returns the grace period; one that has begun can only be shortened. */
  private static long gracePeriodSeconds(
      Strategy strategy, ObjectNode object, @Nullable Long asked) {
    if (!MetadataDefaults.isDeleting(object)) {
      return strategy.gracePeriodSeconds(object, asked);
    }
    long running = Objects.requireNonNullElse(MetadataDefaults.gracePeriodSeconds(object), 0L);
    return asked == null ? running : Math.min(asked < 0 ? 1 : asked, running);
  }

  private static void mark(ObjectNode object, long grace, Instant now) {
    ObjectNode metadata = MetadataDefaults.of(object);
    Instant begun = now;
    Instant end = Timestamps.parse(Json.text(metadata, "deletionTimestamp"));
    if (end != null) {
      Long running = MetadataDefaults.gracePeriodSeconds(object);
      begun = end.minusSeconds(running == null ? 0 : running);
    }
    metadata.put("deletionTimestamp", Timestamps.format(begun.plusSeconds(grace)));
    metadata.put("deletionGracePeriodSeconds", grace);
  }

  /**
   * Returns the requested propagation, else that of a deletion under way, else the kind's default.
   */
  private static Propagation propagation(
      Strategy strategy, ObjectNode object, @Nullable Propagation asked) {
    if (asked != null) {
      return asked;
    }
    for (String finalizer : MetadataDefaults.finalizers(object)) {
      if (finalizer.equals(Names.FOREGROUND_FINALIZER)) {
        return Propagation.FOREGROUND;
      }
      if (finalizer.equals(Names.ORPHAN_FINALIZER)) {
        return Propagation.ORPHAN;
      }
    }
    return strategy.propagation();
  }

  private static void propagate(ObjectNode object, Propagation propagation) {
    List<String> before = MetadataDefaults.finalizers(object);
    ArrayNode finalizers = Json.array();
    before.stream()
        .filter(finalizer ->
            !finalizer.equals(Names.FOREGROUND_FINALIZER)
                && !finalizer.equals(Names.ORPHAN_FINALIZER))
        .forEach(finalizers::add);
    switch (propagation) {
      case FOREGROUND -> finalizers.add(Names.FOREGROUND_FINALIZER);
      case ORPHAN -> finalizers.add(Names.ORPHAN_FINALIZER);
      case BACKGROUND -> {}
    }
    if (finalizers.isEmpty()) {
      MetadataDefaults.of(object).remove("finalizers");
    } else {
      MetadataDefaults.of(object).set("finalizers", finalizers);
    }
  }
}
