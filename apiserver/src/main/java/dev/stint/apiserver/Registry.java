package dev.stint.apiserver;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.ClosedException;
import dev.stint.store.Entry;
import dev.stint.store.Expectation;
import dev.stint.store.PreconditionFailedException;
import dev.stint.store.Snapshot;
import dev.stint.store.Store;
import dev.stint.store.UnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries requests out, for all kinds alike: reads what is stored, lets pure rules ({@link
 * Creation}, {@link Update}, {@link Deletion}) decide, writes what they decided if nobody was
 * faster, and otherwise decides again on what is stored by then.
 *
 * <p>Requests are decided on in the thread that brings them; only where somebody was faster, that
 * is done again on the store's loop. Futures fail with {@link ClusterException} and nothing else.
 */
final class Registry {
  /** Makes something of the stored object, or throws why not. Pure: it may be asked again. */
  interface Change {
    Outcome of(KubeObject before) throws ClusterException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
  private static final int GENERATED_NAMES_TRIED = 8;

  private final Store store;
  private final SharedObjects objects;
  private final Map<Kind, Strategy> strategies;
  private final Identities identities;
  private final InstantSource clock;
  private final boolean namespacesMustExist;

  Registry(
      Store store,
      SharedObjects objects,
      Map<Kind, Strategy> strategies,
      Identities identities,
      InstantSource clock,
      boolean namespacesMustExist) {
    this.store = store;
    this.objects = objects;
    this.strategies = strategies;
    this.identities = identities;
    this.clock = clock;
    this.namespacesMustExist = namespacesMustExist;
  }

  /**
   * What became of an object.
   *
   * @param object as it is now; where it was removed, its last state
   */
  record Changed(KubeObject object, boolean removed) {}

  CompletableFuture<KubeObject> get(ObjectRef ref) {
    return answering(() -> CompletableFuture.completedFuture(objects.of(entry(ref))));
  }

  CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return answering(() -> {
      strategy(kind);
      Snapshot snapshot = store.list(Keys.prefix(kind, namespace));
      List<KubeObject> items = snapshot.entries().stream().map(objects::peek).toList();
      return CompletableFuture.completedFuture(
          new ObjectList(items, Long.toString(snapshot.revision())));
    });
  }

  CompletableFuture<KubeObject> create(KubeObject wanted) {
    return answering(() -> {
      Strategy strategy = strategy(kindOf(wanted));
      admit(strategy.kind(), wanted);
      return create(strategy, wanted, GENERATED_NAMES_TRIED);
    });
  }

  /**
   * Replaces all but the status.
   *
   * @param wanted the new document, given the stored one; neither may be changed afterwards
   */
  CompletableFuture<KubeObject> update(
      ObjectRef ref, Preconditions preconditions, UnaryOperator<ObjectNode> wanted) {
    return answering(() ->
        change(
                ref,
                preconditions,
                before ->
                    Update.main(strategy(ref.kind()), before.tree(), wanted.apply(before.tree())))
            .thenApply(Changed::object));
  }

  /** Like {@link #update}, for the status and nothing else. */
  CompletableFuture<KubeObject> updateStatus(
      ObjectRef ref, Preconditions preconditions, UnaryOperator<ObjectNode> wanted) {
    return answering(() ->
        change(
                ref,
                preconditions,
                before ->
                    Update.status(strategy(ref.kind()), before.tree(), wanted.apply(before.tree())))
            .thenApply(Changed::object));
  }

  CompletableFuture<Changed> delete(
      ObjectRef ref, Preconditions preconditions, DeleteOptions options) {
    Instant now = clock.instant();
    return answering(() ->
        change(
            ref,
            preconditions,
            before -> Deletion.decide(strategy(ref.kind()), before.tree(), options, now)));
  }

  private CompletableFuture<Changed> change(
      ObjectRef ref, Preconditions preconditions, Change change) {
    return change(ref, entry(ref), preconditions, change);
  }

  private CompletableFuture<Changed> change(
      ObjectRef ref, Entry entry, Preconditions preconditions, Change change) {
    KubeObject before = objects.of(entry);
    preconditions.check(ref, before);
    CompletableFuture<Changed> done =
        switch (change.of(before)) {
          case Outcome.Keep _ -> CompletableFuture.completedFuture(new Changed(before, false));
          case Outcome.Write(ObjectNode tree) -> replace(ref, entry, tree);
          case Outcome.Remove(ObjectNode last) -> remove(ref, entry, last);
        };
    return done.exceptionallyCompose(failure ->
        switch (unwrapped(failure)) {
          case PreconditionFailedException faster -> {
            Entry current = faster.current();
            yield current == null
                ? CompletableFuture.failedFuture(Errors.notFound(ref))
                : change(ref, current, preconditions, change);
          }
          case Throwable other -> CompletableFuture.failedFuture(other);
        });
  }

  private CompletableFuture<Changed> replace(ObjectRef ref, Entry entry, ObjectNode tree) {
    Metadata.of(tree).remove("resourceVersion");
    byte[] value = Json.bytes(tree);
    return Arrays.equals(value, entry.value())
        ? CompletableFuture.completedFuture(new Changed(objects.of(entry), false))
        : write(ref, value, tree, Expectation.revision(entry.revision()))
            .thenApply(object -> new Changed(object, false));
  }

  private CompletableFuture<Changed> remove(ObjectRef ref, Entry entry, ObjectNode last) {
    return store
        .delete(Keys.of(ref), Expectation.revision(entry.revision()))
        .thenApply(revision -> new Changed(SharedObjects.at(last, revision), true));
  }

  private CompletableFuture<KubeObject> create(Strategy strategy, KubeObject wanted, int tries) {
    Creation creation = Creation.of(strategy, wanted, identities, clock.instant());
    return write(creation.ref(), Json.bytes(creation.tree()), creation.tree(), Expectation.absent())
        .exceptionallyCompose(failure ->
            switch (unwrapped(failure)) {
              case PreconditionFailedException _ when creation.generated() && tries > 1 ->
                  create(strategy, wanted, tries - 1);
              case PreconditionFailedException _ ->
                  CompletableFuture.failedFuture(Errors.alreadyExists(creation.ref()));
              case Throwable other -> CompletableFuture.failedFuture(other);
            });
  }

  private CompletableFuture<KubeObject> write(
      ObjectRef ref, byte[] value, ObjectNode tree, Expectation expectation) {
    objects.writing(value, tree);
    return store
        .put(Keys.of(ref), value, expectation)
        .thenApply(objects::of)
        .whenComplete((_, _) -> objects.wrote(value));
  }

  /** Refuses what would go into a namespace that is not there, or is on its way out. */
  private void admit(Kind kind, KubeObject wanted) {
    if (!namespacesMustExist || !kind.namespaced()) {
      return;
    }
    String name = wanted.namespace().isEmpty() ? Creation.DEFAULT_NAMESPACE : wanted.namespace();
    ObjectRef namespace = new ObjectRef(Kind.NAMESPACE, "", name);
    Entry entry = store.get(Keys.of(namespace));
    if (entry == null && !name.equals(Creation.DEFAULT_NAMESPACE)) {
      throw Errors.notFound(namespace);
    }
    if (entry != null && Metadata.deleting(objects.of(entry).tree())) {
      throw Errors.terminatingNamespace(new ObjectRef(kind, name, wanted.name()));
    }
  }

  private Entry entry(ObjectRef ref) {
    strategy(ref.kind());
    Entry entry = store.get(Keys.of(ref));
    if (entry == null) {
      throw Errors.notFound(ref);
    }
    return entry;
  }

  private Strategy strategy(Kind kind) {
    Strategy strategy = strategies.get(kind);
    if (strategy == null) {
      throw Errors.badRequest("the server does not serve " + kind.apiVersion() + " " + kind.kind());
    }
    return strategy;
  }

  /** The kind that a document says it is of. Throws {@code BAD_REQUEST} where there is none. */
  static Kind kindOf(KubeObject document) {
    return Kind.of(document.apiVersion(), document.kindName())
        .orElseThrow(() ->
            Errors.badRequest(
                "no matches for kind \"%s\" in version \"%s\""
                    .formatted(document.kindName(), document.apiVersion())));
  }

  /** Gives a request's answer, whose failures are of one type however they came about. */
  static <T extends @Nullable Object> CompletableFuture<T> answering(
      Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      request
          .get()
          .whenComplete((value, failure) -> {
            if (failure == null) {
              answer.complete(value);
            } else {
              answer.completeExceptionally(translated(unwrapped(failure)));
            }
          });
    } catch (RuntimeException failure) {
      answer.completeExceptionally(translated(failure));
    }
    return answer;
  }

  private static ClusterException translated(Throwable failure) {
    return switch (failure) {
      case ClusterException known -> known;
      case UnavailableException down -> Errors.unavailable(down);
      case ClosedException closed -> Errors.unavailable(closed);
      case Throwable fault -> {
        LOG.error("a request failed for a fault of the server", fault);
        yield Errors.internal(fault);
      }
    };
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : failure;
  }
}
