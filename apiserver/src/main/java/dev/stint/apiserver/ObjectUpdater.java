package dev.stint.apiserver;

import dev.stint.apiserver.Registry.Changed;
import dev.stint.apiserver.admission.AdmissionStep;
import dev.stint.apiserver.outcome.ChangeOutcome;
import dev.stint.apiserver.outcome.ObjectUpdate;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.patch.FieldManager;
import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.apiserver.webhook.RequestDeadline;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.Entry;
import dev.stint.store.PreconditionFailedException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes stored objects with optimistic concurrency: decides on the stored state, writes if it is
 * unchanged, and otherwise decides again on the newer state.
 */
final class ObjectUpdater {
  /**
   * Decides how to change the stored object, or throws the reason for refusing. Pure: it may be
   * called again.
   */
  interface Change {
    ChangeOutcome of(KubeObject before) throws ClusterException;
  }

  /**
   * A request for a change.
   *
   * @param preconditions checked on the stored object each time the change is decided
   * @param strategy that decides
   * @param admitted true if the steps of admission validate the change
   */
  record Request(
      ObjectRef ref,
      Preconditions preconditions,
      WriteOptions options,
      Strategy strategy,
      Change change,
      boolean admitted) {}

  private final StoredObjects stored;
  private final List<AdmissionStep> admission;
  private final InstantSource clock;
  private final Executor retries;

  /**
   * @param retries runs decisions that are made again
   */
  ObjectUpdater(
      StoredObjects stored, List<AdmissionStep> admission, InstantSource clock, Executor retries) {
    this.stored = stored;
    this.admission = admission;
    this.clock = clock;
    this.retries = retries;
  }

  /**
   * Returns the change that replaces an object or a subresource; the writer becomes the owner of
   * the changed fields.
   */
  Change update(
      UpdateTarget target,
      Strategy strategy,
      UnaryOperator<ObjectNode> wanted,
      WriteOptions options) {
    return object -> {
      ObjectNode before = strategy.shown(object.tree());
      ObjectNode document = wanted.apply(before);
      ChangeOutcome outcome = decided(target, strategy, before, document, options);
      FieldManager manager = options.manager();
      if (manager != null && outcome instanceof ChangeOutcome.Write(ObjectNode after)) {
        ObjectNode requested = RequestedObject.of(after, document, strategy);
        ManagedFields.updated(before, after, requested, manager, clock.instant(), strategy.shape());
      }
      return kept(outcome, object, before, strategy);
    };
  }

  /**
   * Returns the change that applies a configuration to an object or a subresource; the document
   * contains the new managed fields.
   */
  static Change apply(
      UpdateTarget target,
      Strategy strategy,
      UnaryOperator<ObjectNode> applied,
      WriteOptions options) {
    return object -> {
      ObjectNode before = strategy.shown(object.tree());
      ObjectNode document = applied.apply(before);
      ChangeOutcome outcome = decided(target, strategy, before, document, options);
      return kept(ObjectUpdate.managed(outcome, before, document), object, before, strategy);
    };
  }

  /**
   * Returns an outcome with the object as it is stored. One that is stored in an older version is
   * written even if nothing else changes.
   */
  private static ChangeOutcome kept(
      ChangeOutcome outcome, KubeObject object, ObjectNode before, Strategy strategy) {
    return switch (outcome) {
      case ChangeOutcome.Keep _ when strategy.isCurrent(object.tree()) -> outcome;
      case ChangeOutcome.Keep _ ->
          new ChangeOutcome.Write(strategy.kept(MetadataDefaults.edit(before)));
      case ChangeOutcome.Write(ObjectNode tree) -> new ChangeOutcome.Write(strategy.kept(tree));
      case ChangeOutcome.Remove(ObjectNode last, boolean told) ->
          new ChangeOutcome.Remove(strategy.kept(last), told);
    };
  }

  /** Returns the outcome for one target. Only writes of the object itself have warnings. */
  private static ChangeOutcome decided(
      UpdateTarget target,
      Strategy strategy,
      ObjectNode before,
      ObjectNode document,
      WriteOptions options) {
    ChangeOutcome outcome = target.of(strategy, before, document);
    if (target == UpdateTarget.MAIN) {
      options.warn(() -> strategy.warnings(before, outcome.after(before)));
    }
    return outcome;
  }

  /** Carries a change of a stored entry out. */
  CompletableFuture<Changed> carryOut(Request request, Entry entry) {
    return ApiFutures.deciding(request.strategy, () -> decidedAndWritten(request, entry));
  }

  private CompletableFuture<Changed> decidedAndWritten(Request request, Entry entry) {
    ChangeOutcome outcome = checked(request, stored.of(entry));
    Supplier<CompletableFuture<Changed>> again =
        RequestDeadline.handedOver(() -> carryOutAgain(request));
    return written(outcome, request.ref, entry, request.options)
        .exceptionallyCompose(failure ->
            switch (ApiFutures.cause(failure)) {
              case PreconditionFailedException _ -> ApiFutures.within(retries, again);
              case Throwable other -> CompletableFuture.failedFuture(other);
            });
  }

  /** Carries a change out after another one was faster; many may have been by now. */
  private CompletableFuture<Changed> carryOutAgain(Request request) {
    Entry newest = stored.entry(request.ref);
    return newest == null
        ? CompletableFuture.failedFuture(ApiErrors.notFound(request.ref))
        : carryOut(request, newest);
  }

  private ChangeOutcome checked(Request request, KubeObject before) {
    request.preconditions.check(request.ref, before);
    ChangeOutcome outcome = request.change.of(before);
    if (outcome instanceof ChangeOutcome.Write(ObjectNode tree) && !request.options.dryRun()) {
      MetadataDefaults.of(tree).remove(List.of("resourceVersion", "selfLink"));
    }
    if (request.admitted) {
      for (AdmissionStep step : admission) {
        step.validateChange(
            request.ref, before.tree(), outcome.after(before.tree()), request.options);
      }
    }
    if (outcome instanceof ChangeOutcome.Write(ObjectNode tree)) {
      request.options.admission().check(before, KubeObject.of(tree));
    }
    return outcome;
  }

  private CompletableFuture<Changed> written(
      ChangeOutcome outcome, ObjectRef ref, Entry entry, WriteOptions options) {
    return switch (outcome) {
      case ChangeOutcome.Keep _ -> unchanged(entry);
      case ChangeOutcome.Write(ObjectNode tree) -> {
        if (options.dryRun()) {
          yield dryRun(tree, entry, false);
        }
        yield replace(ref, entry, tree);
      }
      case ChangeOutcome.Remove removal -> {
        if (options.dryRun()) {
          yield dryRun(removal.last(), entry, true);
        }
        yield stored.remove(ref, entry, removal).thenApply(last -> new Changed(last, true));
      }
    };
  }

  private CompletableFuture<Changed> replace(ObjectRef ref, Entry entry, ObjectNode tree) {
    byte[] value = stored.bytes(ref, tree, entry);
    return Arrays.equals(value, entry.value())
        ? unchanged(entry)
        : stored.write(ref, value, tree, entry).thenApply(object -> new Changed(object, false));
  }

  private CompletableFuture<Changed> unchanged(Entry entry) {
    return CompletableFuture.completedFuture(new Changed(stored.of(entry), false));
  }

  private static CompletableFuture<Changed> dryRun(ObjectNode tree, Entry entry, boolean removed) {
    return CompletableFuture.completedFuture(
        new Changed(SharedObjects.at(tree, entry.revision()), removed));
  }
}
