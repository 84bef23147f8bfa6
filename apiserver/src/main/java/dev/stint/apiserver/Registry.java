package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.DeletionOutcome;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.NameGenerator;
import dev.stint.apiserver.strategy.NamespaceStrategy;
import dev.stint.apiserver.strategy.NewObject;
import dev.stint.apiserver.strategy.ObjectUpdate;
import dev.stint.apiserver.strategy.PodBinding;
import dev.stint.apiserver.strategy.Preconditions;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.CompactedException;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import dev.stint.store.StoreView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries requests out, for all kinds alike: reads what is stored, lets pure rules ({@link
 * NewObject}, {@link ObjectUpdate}, {@link DeletionOutcome}) decide, writes what they decided if
 * nobody was faster, and otherwise decides again on what is stored by then.
 *
 * <p>Requests are decided on in the thread that brings them; only where somebody was faster, that
 * is done again on the store's loop. Futures fail with {@link ClusterException} and nothing else.
 */
public final class Registry {
  private final StoredObjects stored;
  private final Map<Kind, Strategy> strategies;
  private final NameGenerator identities;
  private final InstantSource clock;
  private final boolean namespacesMustExist;
  private final ObjectCreator creations;
  private final ObjectUpdater changes;
  private final JobManagers managers;

  Registry(
      StoredObjects stored,
      Map<Kind, Strategy> strategies,
      NameGenerator identities,
      InstantSource clock,
      boolean namespacesMustExist) {
    this.stored = stored;
    this.strategies = strategies;
    this.identities = identities;
    this.clock = clock;
    this.namespacesMustExist = namespacesMustExist;
    ClusterAdmission admission = new ClusterAdmission(stored, namespacesMustExist);
    this.creations = new ObjectCreator(stored, admission, identities, clock);
    this.changes = new ObjectUpdater(stored, admission, clock);
    this.managers = new JobManagers(stored);
  }

  /** The same objects, as another view of the store shows them. */
  Registry over(StoreView view) {
    return new Registry(stored.over(view), strategies, identities, clock, namespacesMustExist);
  }

  /**
   * What became of an object.
   *
   * @param object as it is now; where it was removed, its last state
   */
  public record Changed(KubeObject object, boolean removed) {}

  /**
   * What became of an object that was applied or replaced.
   *
   * @param created whether it is new
   */
  public record Applied(KubeObject object, boolean created) {}

  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return ApiFutures.answering(() -> CompletableFuture.completedFuture(stored.of(entry(ref))));
  }

  CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return ApiFutures.answering(() -> {
      strategy(kind);
      Snapshot snapshot = stored.snapshot(kind, namespace);
      List<KubeObject> items = snapshot.entries().stream().map(stored.shared()::peek).toList();
      return CompletableFuture.completedFuture(
          new ObjectList(items, Long.toString(snapshot.revision())));
    });
  }

  /** The same in parts, see {@link ListParts}. */
  CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return ApiFutures.answering(() -> {
      strategy(kind);
      return ListParts.of(stored.snapshot(kind, namespace), stored.shared()::peek, each);
    });
  }

  /** One page of a list, as of one revision for all pages. */
  public CompletableFuture<ListPage> list(ListQuery query) {
    return ApiFutures.answering(() -> {
      strategy(query.kind());
      return CompletableFuture.completedFuture(
          ListPage.of(query, snapshot(query), stored.shared()));
    });
  }

  private Snapshot snapshot(ListQuery query) {
    Long revision = query.revision();
    if (revision == null) {
      return stored.snapshot(query.kind(), query.namespace());
    }
    if (revision > revision()) {
      throw ClusterException.notReached(revision, revision());
    }
    try {
      return stored.store().list(StorageKeys.prefix(query.kind(), query.namespace()), revision);
    } catch (CompactedException tooOld) {
      throw ApiErrors.gone(revision + " (" + tooOld.oldest() + ")");
    }
  }

  /**
   * True if some Job names who manages it.
   *
   * @param namespace null for all
   * @param revision as of which, or of now where that is no longer known
   */
  public boolean namesManager(@Nullable String namespace, long revision) {
    return managers.named(namespace, revision);
  }

  /** The uid of an object; null where there is no such object. */
  public @Nullable String uid(ObjectRef ref) {
    Entry entry = stored.entry(ref);
    return entry == null ? null : stored.of(entry).uid();
  }

  /** The newest revision of all. */
  public long revision() {
    return stored.store().revision();
  }

  /** How often roles and bindings have changed since this process began. */
  long accessChanges() {
    return stored.accessChanges();
  }

  public CompletableFuture<KubeObject> create(KubeObject wanted, WriteOptions options) {
    return ApiFutures.answering(
        () -> creations.create(strategy(options.rules(kindOf(wanted))), wanted, options));
  }

  /**
   * Replaces a part of an object.
   *
   * @param wanted the new document, given the stored one; neither may be changed afterwards
   */
  public CompletableFuture<KubeObject> update(
      ObjectPart part,
      ObjectRef ref,
      Preconditions preconditions,
      UnaryOperator<ObjectNode> wanted,
      WriteOptions options) {
    return ApiFutures.answering(() -> {
      Strategy strategy = strategy(options.rules(ref.kind()));
      return change(ref, preconditions, options, changes.update(part, strategy, wanted, options))
          .thenApply(Changed::object);
    });
  }

  /**
   * Replaces an object by a document, or creates it where its kind has that.
   *
   * @param wanted not to be changed afterwards
   */
  public CompletableFuture<Applied> replace(
      ObjectRef ref, ObjectNode wanted, WriteOptions options) {
    return ApiFutures.answering(() -> {
      Preconditions preconditions = Preconditions.of(wanted);
      Supplier<CompletableFuture<Applied>> update =
          () ->
              update(ObjectPart.MAIN, ref, preconditions, _ -> wanted, options)
                  .thenApply(object -> new Applied(object, false));
      if (!strategy(ref.kind()).createsOnUpdate() || stored.has(ref)) {
        return update.get();
      }
      if (preconditions.uid() != null) {
        throw ApiErrors.otherUid(ref, preconditions.uid(), "");
      }
      ObjectNode fresh = MetadataDefaults.edit(wanted);
      MetadataDefaults.of(fresh).remove("resourceVersion");
      return createOr(KubeObject.of(fresh), options, update);
    });
  }

  /**
   * Makes of a part of an object what an apply makes of it, or creates the object.
   *
   * @param applied the new document, whose managed fields are up to date, given the stored one or
   *     null; neither may be changed afterwards
   */
  public CompletableFuture<Applied> apply(
      ObjectPart part,
      ObjectRef ref,
      Function<@Nullable ObjectNode, ObjectNode> applied,
      WriteOptions options) {
    return ApiFutures.answering(() -> {
      Strategy strategy = strategy(options.rules(ref.kind()));
      ObjectUpdater.Change change = ObjectUpdater.apply(part, strategy, applied::apply, options);
      Supplier<CompletableFuture<Applied>> update =
          () ->
              change(ref, Preconditions.NONE, options, change)
                  .thenApply(changed -> new Applied(changed.object(), false));
      return part != ObjectPart.MAIN || stored.has(ref)
          ? update.get()
          : createOr(KubeObject.of(applied.apply(null)), options.byNobody(), update);
    });
  }

  /** Creates an object; where somebody was faster, changes what that one created. */
  private CompletableFuture<Applied> createOr(
      KubeObject wanted, WriteOptions options, Supplier<CompletableFuture<Applied>> change) {
    return create(wanted, options)
        .thenApply(object -> new Applied(object, true))
        .exceptionallyCompose(failure ->
            ApiFutures.cause(failure) instanceof ClusterException refusal
                    && refusal.reason() == Reason.ALREADY_EXISTS
                ? change.get()
                : CompletableFuture.failedFuture(ApiFutures.cause(failure)));
  }

  /** Gives a pod that has no node one. */
  public CompletableFuture<KubeObject> bind(ObjectRef pod, String node, WriteOptions options) {
    Instant now = clock.instant();
    return ApiFutures.answering(() ->
        change(
                pod,
                Preconditions.NONE,
                options,
                before -> PodBinding.bind(pod, before.tree(), node, now))
            .thenApply(Changed::object));
  }

  public CompletableFuture<Changed> delete(
      ObjectRef ref, Preconditions preconditions, DeleteOptions options, WriteOptions how) {
    Instant now = clock.instant();
    return ApiFutures.answering(() -> {
      if (NamespaceStrategy.immortal(ref)) {
        throw ApiErrors.immortalNamespace(ref);
      }
      return change(
          ref,
          Preconditions.NONE,
          how,
          before -> {
            preconditions.checkDeletion(ref, before);
            return DeletionOutcome.decide(strategy(ref.kind()), before.tree(), options, now);
          });
    });
  }

  private CompletableFuture<Changed> change(
      ObjectRef ref,
      Preconditions preconditions,
      WriteOptions options,
      ObjectUpdater.Change change) {
    return changes.carryOut(change, ref, entry(ref), preconditions, options);
  }

  private Entry entry(ObjectRef ref) {
    strategy(ref.kind());
    Entry entry = stored.entry(ref);
    if (entry == null) {
      throw ApiErrors.notFound(ref);
    }
    return entry;
  }

  private Strategy strategy(Kind kind) {
    Strategy strategy = strategies.get(kind);
    if (strategy == null) {
      throw ApiErrors.badRequest(
          "the server does not serve " + kind.apiVersion() + " " + kind.kind());
    }
    return strategy;
  }

  /** The kind that a document says it is of. Throws {@code BAD_REQUEST} where there is none. */
  static Kind kindOf(KubeObject document) {
    return Kind.of(document.apiVersion(), document.kindName())
        .orElseThrow(() ->
            ApiErrors.badRequest(
                "no matches for kind \"%s\" in version \"%s\""
                    .formatted(document.kindName(), document.apiVersion())));
  }
}
