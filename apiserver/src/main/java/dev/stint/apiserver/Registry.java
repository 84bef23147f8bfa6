package dev.stint.apiserver;

import dev.stint.apiserver.admission.AdmissionStep;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.outcome.DeletionOutcome;
import dev.stint.apiserver.outcome.NameGenerator;
import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.outcome.ObjectUpdate;
import dev.stint.apiserver.outcome.PodBinding;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.NamespaceStrategy;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.apiserver.webhook.RequestDeadline;
import dev.stint.apiserver.write.WriteOptions;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out requests for all kinds alike: reads the stored object, lets pure rules ({@link
 * NewObject}, {@link ObjectUpdate}, {@link DeletionOutcome}) decide, writes their outcome if the
 * object is unchanged, and otherwise decides again on the newer state.
 *
 * <p>Decisions are made in the calling thread. After a conflict they are made again, by the
 * executor for that: many clients that write one object could hold up the store's loop for a long
 * time. Futures fail with {@link ClusterException} and nothing else.
 */
public final class Registry {
  private final StoredObjects stored;
  private final Supplier<ApiCatalogue> catalogue;
  private final NameGenerator identities;
  private final InstantSource clock;
  private final Function<StoredObjects, List<AdmissionStep>> admission;
  private final Executor retries;
  private final ObjectCreator creations;
  private final ObjectUpdater changes;
  private final JobManagers managers;

  /**
   * @param catalogue returns the resources that are served now
   * @param admission makes the steps of admission, in their order, over stored objects
   * @param retries runs decisions that are made again
   */
  Registry(
      StoredObjects stored,
      Supplier<ApiCatalogue> catalogue,
      NameGenerator identities,
      InstantSource clock,
      Function<StoredObjects, List<AdmissionStep>> admission,
      Executor retries) {
    this.stored = stored;
    this.catalogue = catalogue;
    this.identities = identities;
    this.clock = clock;
    this.admission = admission;
    this.retries = retries;
    List<AdmissionStep> steps = admission.apply(stored);
    this.creations = new ObjectCreator(stored, steps, identities, clock);
    this.changes = new ObjectUpdater(stored, steps, clock, retries);
    this.managers = new JobManagers(stored);
  }

  /**
   * Returns a registry over another view of the same store, for the few clients of this process. It
   * decides again in the thread that delivers the store's answer.
   */
  Registry over(StoreView view) {
    return new Registry(stored.over(view), catalogue, identities, clock, admission, Runnable::run);
  }

  /**
   * The result of a change.
   *
   * @param object the current object; if it was removed, its last state
   */
  public record Changed(KubeObject object, boolean removed) {}

  /**
   * The result of an apply or a replace.
   *
   * @param created true if the object is new
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

  /** Lists the objects of a kind in parts, see {@link StreamedList}. */
  CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return ApiFutures.answering(() -> {
      strategy(kind);
      return StreamedList.of(stored.snapshot(kind, namespace), stored.shared()::peek, each);
    });
  }

  /** Returns one page of a list; all pages are of one revision. */
  public CompletableFuture<ListPage> list(ListQuery query) {
    return ApiFutures.answering(() -> {
      strategy(query.kind());
      return CompletableFuture.completedFuture(
          ListPage.of(query, snapshot(query), stored.shared(), new StoreLog(stored.store())));
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
   * True if some Job names a manager.
   *
   * @param namespace null for all
   * @param revision the revision to look at; the current one if it is no longer known
   */
  public boolean hasManagedJob(@Nullable String namespace, long revision) {
    return managers.hasManagedJob(namespace, revision);
  }

  /** Returns the uid of an object; null if it does not exist. */
  public @Nullable String uid(ObjectRef ref) {
    Entry entry = stored.entry(ref);
    return entry == null ? null : stored.of(entry).uid();
  }

  /** Returns an object as it is now; null if it does not exist. */
  public @Nullable KubeObject find(ObjectRef ref) {
    Entry entry = stored.entry(ref);
    return entry == null ? null : stored.of(entry);
  }

  /** Returns the newest revision of all. */
  public long revision() {
    return stored.store().revision();
  }

  /** Counts the changes of objects that configure this server. */
  ConfigurationChanges changes() {
    return stored.changes();
  }

  /** Returns the stored objects, for those who read only some of them. */
  StoredObjects stored() {
    return stored;
  }

  /**
   * Counts the objects of a kind, without reading them.
   *
   * @param namespace null for all
   */
  int count(Kind kind, @Nullable String namespace) {
    return stored.snapshot(kind, namespace).entries().size();
  }

  public CompletableFuture<KubeObject> create(KubeObject wanted, WriteOptions options) {
    return ApiFutures.answering(() -> {
      Kind kind = kindOf(wanted);
      ApiResource resource = catalogue.get().of(kind);
      if (resource != null && resource.isStored() && !resource.verbs().contains("create")) {
        throw ApiErrors.terminatingDefinition();
      }
      Strategy strategy = strategy(options.rules(kind));
      return ApiFutures.deciding(strategy, () -> creations.create(strategy, wanted, options));
    });
  }

  /**
   * Replaces an object or a subresource.
   *
   * @param wanted makes the new document from the stored one; neither may be changed afterwards
   */
  public CompletableFuture<KubeObject> update(
      UpdateTarget target,
      ObjectRef ref,
      Preconditions preconditions,
      UnaryOperator<ObjectNode> wanted,
      WriteOptions options) {
    return ApiFutures.answering(() -> {
      Strategy strategy = strategy(options.rules(ref.kind()));
      ObjectUpdater.Change change = changes.update(target, strategy, wanted, options);
      return change(ref, preconditions, options, strategy, change, target == UpdateTarget.MAIN)
          .thenApply(Changed::object);
    });
  }

  /**
   * Replaces an object by a document, or creates it if its kind allows that.
   *
   * @param wanted not to be changed afterwards
   */
  public CompletableFuture<Applied> replace(
      ObjectRef ref, ObjectNode wanted, WriteOptions options) {
    return ApiFutures.answering(() -> {
      Preconditions preconditions = Preconditions.of(wanted);
      Supplier<CompletableFuture<Applied>> update =
          () ->
              update(UpdateTarget.MAIN, ref, preconditions, _ -> wanted, options)
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
   * Applies a configuration to an object or a subresource, or creates the object.
   *
   * @param applied makes the new document, with its managed fields, from the stored one or null;
   *     neither may be changed afterwards
   */
  public CompletableFuture<Applied> apply(
      UpdateTarget target,
      ObjectRef ref,
      Function<@Nullable ObjectNode, ObjectNode> applied,
      WriteOptions options) {
    return ApiFutures.answering(() -> {
      Strategy strategy = strategy(options.rules(ref.kind()));
      ObjectUpdater.Change change = ObjectUpdater.apply(target, strategy, applied::apply, options);
      Supplier<CompletableFuture<Applied>> update =
          () ->
              change(
                      ref,
                      Preconditions.NONE,
                      options,
                      strategy,
                      change,
                      target == UpdateTarget.MAIN)
                  .thenApply(changed -> new Applied(changed.object(), false));
      return target != UpdateTarget.MAIN || stored.has(ref)
          ? update.get()
          : createOr(KubeObject.of(applied.apply(null)), options.byNobody(), update);
    });
  }

  /** Creates an object; if another client has created it meanwhile, changes that one. */
  private CompletableFuture<Applied> createOr(
      KubeObject wanted, WriteOptions options, Supplier<CompletableFuture<Applied>> change) {
    Supplier<CompletableFuture<Applied>> again = RequestDeadline.handedOver(change);
    return create(wanted, options)
        .thenApply(object -> new Applied(object, true))
        .exceptionallyCompose(failure ->
            ApiFutures.cause(failure) instanceof ClusterException refusal
                    && refusal.reason() == Reason.ALREADY_EXISTS
                ? ApiFutures.within(retries, again)
                : CompletableFuture.failedFuture(ApiFutures.cause(failure)));
  }

  /** Binds whichever pod has the name to a node, if it has none. */
  public CompletableFuture<KubeObject> bind(ObjectRef pod, String node, WriteOptions options) {
    return bind(pod, PodBinding.to(node), options);
  }

  /** Binds a pod to a node, if it has none. */
  public CompletableFuture<KubeObject> bind(
      ObjectRef pod, PodBinding binding, WriteOptions options) {
    Instant now = clock.instant();
    return ApiFutures.answering(() ->
        change(
                pod,
                binding.preconditions(),
                options,
                strategy(pod.kind()),
                before -> binding.bind(pod, before.tree(), now),
                false)
            .thenApply(Changed::object));
  }

  public CompletableFuture<Changed> delete(
      ObjectRef ref, Preconditions preconditions, DeleteOptions options, WriteOptions how) {
    Instant now = clock.instant();
    return ApiFutures.answering(() -> {
      if (NamespaceStrategy.isImmortal(ref)) {
        throw ApiErrors.immortalNamespace(ref);
      }
      return change(
          ref,
          Preconditions.NONE,
          how,
          strategy(ref.kind()),
          before -> {
            preconditions.checkDeletion(ref, before);
            return DeletionOutcome.decide(strategy(ref.kind()), before.tree(), options, now);
          },
          false);
    });
  }

  private CompletableFuture<Changed> change(
      ObjectRef ref,
      Preconditions preconditions,
      WriteOptions options,
      Strategy strategy,
      ObjectUpdater.Change change,
      boolean admitted) {
    ObjectUpdater.Request request =
        new ObjectUpdater.Request(ref, preconditions, options, strategy, change, admitted);
    return changes.carryOut(request, entry(ref));
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
    ApiResource resource = catalogue.get().of(kind);
    Strategy strategy = resource == null ? null : resource.strategy();
    if (strategy == null) {
      throw ApiErrors.badRequest(
          "the server does not serve " + kind.apiVersion() + " " + kind.kind());
    }
    return strategy;
  }

  /**
   * Returns the kind as which the object is stored that a document describes. Throws {@code
   * BAD_REQUEST} if it names no known kind.
   */
  Kind storedKindOf(KubeObject document) {
    return strategy(kindOf(document)).kind();
  }

  /** Returns the kind of a document. Throws {@code BAD_REQUEST} if it names no known kind. */
  Kind kindOf(KubeObject document) {
    return catalogue
        .get()
        .kind(document.apiVersion(), document.kindName())
        .orElseThrow(() ->
            ApiErrors.badRequest(
                "no matches for kind \"%s\" in version \"%s\""
                    .formatted(document.kindName(), document.apiVersion())));
  }
}
