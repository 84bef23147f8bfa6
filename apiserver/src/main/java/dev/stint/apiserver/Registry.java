package dev.stint.apiserver;

import dev.stint.apiserver.patch.FieldManager;
import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.ClosedException;
import dev.stint.store.CompactedException;
import dev.stint.store.Entry;
import dev.stint.store.Expectation;
import dev.stint.store.PreconditionFailedException;
import dev.stint.store.Snapshot;
import dev.stint.store.StoreView;
import dev.stint.store.UnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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
public final class Registry {
  /** Makes something of the stored object, or throws why not. Pure: it may be asked again. */
  interface Change {
    Outcome of(KubeObject before) throws ClusterException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
  private static final int GENERATED_NAMES_TRIED = 8;

  /** 1.5 MiB, what a cluster's store takes at most. */
  private static final int MAX_OBJECT_BYTES = 3 << 19;

  /** Whether some Job named its manager. */
  private record Managers(@Nullable String namespace, long revision, boolean found) {}

  private final StoreView store;
  private final SharedObjects objects;
  private final Map<Kind, Strategy> strategies;
  private final Identities identities;
  private final InstantSource clock;
  private final boolean namespacesMustExist;
  private final AtomicLong accessChanges;

  /** The last that was found out: all pages of a list ask the same. */
  private volatile @Nullable Managers managers;

  Registry(
      StoreView store,
      SharedObjects objects,
      Map<Kind, Strategy> strategies,
      Identities identities,
      InstantSource clock,
      boolean namespacesMustExist) {
    this(store, objects, strategies, identities, clock, namespacesMustExist, new AtomicLong());
  }

  private Registry(
      StoreView store,
      SharedObjects objects,
      Map<Kind, Strategy> strategies,
      Identities identities,
      InstantSource clock,
      boolean namespacesMustExist,
      AtomicLong accessChanges) {
    this.store = store;
    this.objects = objects;
    this.strategies = strategies;
    this.identities = identities;
    this.clock = clock;
    this.namespacesMustExist = namespacesMustExist;
    this.accessChanges = accessChanges;
  }

  /** The same objects, as another view of the store shows them. */
  Registry over(StoreView view) {
    return new Registry(
        view, objects, strategies, identities, clock, namespacesMustExist, accessChanges);
  }

  /**
   * What became of an object.
   *
   * @param object as it is now; where it was removed, its last state
   */
  public record Changed(KubeObject object, boolean removed) {}

  public CompletableFuture<KubeObject> get(ObjectRef ref) {
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

  /** The same in parts, see {@link ListParts}. */
  CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return answering(() -> {
      strategy(kind);
      return ListParts.of(store.list(Keys.prefix(kind, namespace)), objects::peek, each);
    });
  }

  /** One page of a list, as of one revision for all pages. */
  public CompletableFuture<Page> list(ListQuery query) {
    return answering(() -> {
      strategy(query.kind());
      return CompletableFuture.completedFuture(Page.of(query, snapshot(query), objects));
    });
  }

  private Snapshot snapshot(ListQuery query) {
    String prefix = Keys.prefix(query.kind(), query.namespace());
    Long revision = query.revision();
    if (revision == null) {
      return store.list(prefix);
    }
    if (revision > store.revision()) {
      throw ClusterException.notReached(revision, store.revision());
    }
    try {
      return store.list(prefix, revision);
    } catch (CompactedException tooOld) {
      throw Errors.gone(revision + " (" + tooOld.oldest() + ")");
    }
  }

  /**
   * True if some Job names who manages it.
   *
   * @param namespace null for all
   * @param revision as of which, or of now where that is no longer known
   */
  public boolean namesManager(@Nullable String namespace, long revision) {
    Managers known = managers;
    if (known == null
        || known.revision != revision
        || !Objects.equals(known.namespace, namespace)) {
      known = new Managers(namespace, revision, findsManager(namespace, revision));
      managers = known;
    }
    return known.found;
  }

  private boolean findsManager(@Nullable String namespace, long revision) {
    String prefix = Keys.prefix(Kind.JOB, namespace);
    Snapshot snapshot;
    try {
      snapshot = store.list(prefix, Math.min(revision, store.revision()));
    } catch (CompactedException tooOld) {
      snapshot = store.list(prefix);
    }
    return snapshot.entries().stream()
        .map(objects::peek)
        .anyMatch(job -> job.specText("managedBy") != null);
  }

  /** The uid of an object; null where there is no such object. */
  public @Nullable String uid(ObjectRef ref) {
    Entry entry = store.get(Keys.of(ref));
    return entry == null ? null : objects.of(entry).uid();
  }

  /** The newest revision of all. */
  public long revision() {
    return store.revision();
  }

  public CompletableFuture<KubeObject> create(KubeObject wanted, WriteOptions options) {
    return answering(() -> {
      Strategy strategy = strategy(options.rules(kindOf(wanted)));
      admit(strategy.kind(), wanted);
      return create(strategy, wanted, admitted(wanted), options, GENERATED_NAMES_TRIED);
    });
  }

  /**
   * Replaces all but the status.
   *
   * @param wanted the new document, given the stored one; neither may be changed afterwards
   */
  public CompletableFuture<KubeObject> update(
      ObjectRef ref,
      Preconditions preconditions,
      UnaryOperator<ObjectNode> wanted,
      WriteOptions options) {
    return write(
        ref,
        preconditions,
        options,
        before ->
            owned(
                ref,
                before,
                wanted.apply(before),
                options,
                (strategy, document) -> replaced(strategy, before, document, options)));
  }

  /**
   * Replaces an object by a document, or creates it where its kind has that.
   *
   * @param wanted not to be changed afterwards
   */
  public CompletableFuture<Applied> replace(
      ObjectRef ref, ObjectNode wanted, WriteOptions options) {
    return answering(() -> {
      Preconditions preconditions = Preconditions.of(wanted);
      Supplier<CompletableFuture<Applied>> update =
          () ->
              update(ref, preconditions, _ -> wanted, options)
                  .thenApply(object -> new Applied(object, false));
      if (!strategy(ref.kind()).createsOnUpdate() || store.get(Keys.of(ref)) != null) {
        return update.get();
      }
      if (preconditions.uid() != null) {
        throw Errors.otherUid(ref, preconditions.uid(), "");
      }
      ObjectNode fresh = Metadata.edit(wanted);
      Metadata.of(fresh).remove("resourceVersion");
      return createOr(KubeObject.of(fresh), options, update);
    });
  }

  /** Creates an object; where somebody was faster, changes what that one created. */
  private CompletableFuture<Applied> createOr(
      KubeObject wanted, WriteOptions options, Supplier<CompletableFuture<Applied>> change) {
    return create(wanted, options)
        .thenApply(object -> new Applied(object, true))
        .exceptionallyCompose(failure ->
            unwrapped(failure) instanceof ClusterException refusal
                    && refusal.reason() == Reason.ALREADY_EXISTS
                ? change.get()
                : CompletableFuture.failedFuture(unwrapped(failure)));
  }

  /** An update with its warnings. Writes of other parts have none. */
  private static Outcome replaced(
      Strategy strategy, ObjectNode before, ObjectNode wanted, WriteOptions options) {
    Outcome outcome = Update.main(strategy, before, wanted);
    options.warn(() ->
        strategy.warnings(
            before,
            switch (outcome) {
              case Outcome.Keep _ -> before;
              case Outcome.Write(ObjectNode after) -> after;
              case Outcome.Remove removal -> removal.last();
            }));
    return outcome;
  }

  /** Like {@link #update}, for the status and the metadata. */
  public CompletableFuture<KubeObject> updateStatus(
      ObjectRef ref,
      Preconditions preconditions,
      UnaryOperator<ObjectNode> wanted,
      WriteOptions options) {
    return write(
        ref,
        preconditions,
        options,
        before ->
            owned(
                ref,
                before,
                wanted.apply(before),
                options,
                (strategy, document) -> Update.status(strategy, before, document)));
  }

  /** Like {@link #update}, for what holds a namespace that is being deleted. */
  public CompletableFuture<KubeObject> updateFinalize(
      ObjectRef ref,
      Preconditions preconditions,
      UnaryOperator<ObjectNode> wanted,
      WriteOptions options) {
    return write(
        ref,
        preconditions,
        options,
        before ->
            owned(
                ref,
                before,
                wanted.apply(before),
                options,
                (strategy, document) -> Update.finalizers(strategy, before, document)));
  }

  /**
   * What became of an object that was applied or replaced.
   *
   * @param created whether it is new
   */
  public record Applied(KubeObject object, boolean created) {}

  /**
   * Makes of an object what an apply makes of it, or creates it.
   *
   * @param status whether the status is meant
   * @param applied the new document, whose managed fields are up to date, given the stored one or
   *     null; neither may be changed afterwards
   */
  public CompletableFuture<Applied> apply(
      ObjectRef ref,
      boolean status,
      Function<@Nullable ObjectNode, ObjectNode> applied,
      WriteOptions options) {
    Supplier<CompletableFuture<Applied>> change =
        () ->
            change(
                    ref,
                    Preconditions.NONE,
                    options,
                    before -> {
                      ObjectNode wanted = applied.apply(before.tree());
                      Strategy strategy = strategy(options.rules(ref.kind()));
                      Outcome outcome =
                          status
                              ? Update.status(strategy, before.tree(), wanted)
                              : replaced(strategy, before.tree(), wanted, options);
                      return Update.managed(outcome, before.tree(), wanted);
                    })
                .thenApply(changed -> new Applied(changed.object(), false));
    return answering(() ->
        status || store.get(Keys.of(ref)) != null
            ? change.get()
            : createOr(KubeObject.of(applied.apply(null)), options.byNobody(), change));
  }

  /** Gives a pod that has no node one. */
  public CompletableFuture<KubeObject> bind(ObjectRef pod, String node, WriteOptions options) {
    Instant now = clock.instant();
    return write(pod, Preconditions.NONE, options, before -> Binding.bind(pod, before, node, now));
  }

  /** A write that ends in an object, whose outcome depends on the stored tree. */
  private CompletableFuture<KubeObject> write(
      ObjectRef ref,
      Preconditions preconditions,
      WriteOptions options,
      Function<ObjectNode, Outcome> outcome) {
    return answering(() ->
        change(ref, preconditions, options, before -> outcome.apply(before.tree()))
            .thenApply(Changed::object));
  }

  /** What a document makes of an object, with whose the fields are that change. */
  private Outcome owned(
      ObjectRef ref,
      ObjectNode before,
      ObjectNode document,
      WriteOptions options,
      BiFunction<Strategy, ObjectNode, Outcome> rule) {
    Strategy strategy = strategy(options.rules(ref.kind()));
    Outcome outcome = rule.apply(strategy, document);
    FieldManager manager = options.manager();
    if (manager != null && outcome instanceof Outcome.Write(ObjectNode after)) {
      ObjectNode requested = Requested.of(before, after, document, strategy);
      ManagedFields.updated(before, after, requested, manager, clock.instant());
    }
    return outcome;
  }

  public CompletableFuture<Changed> delete(
      ObjectRef ref, Preconditions preconditions, DeleteOptions options, WriteOptions how) {
    Instant now = clock.instant();
    return answering(() -> {
      if (NamespaceStrategy.immortal(ref)) {
        throw Errors.immortalNamespace(ref);
      }
      return change(
          ref,
          Preconditions.NONE,
          how,
          before -> {
            preconditions.checkDeletion(ref, before);
            return Deletion.decide(strategy(ref.kind()), before.tree(), options, now);
          });
    });
  }

  private CompletableFuture<Changed> change(
      ObjectRef ref, Preconditions preconditions, WriteOptions options, Change change) {
    return change(ref, entry(ref), preconditions, options, change);
  }

  private CompletableFuture<Changed> change(
      ObjectRef ref,
      Entry entry,
      Preconditions preconditions,
      WriteOptions options,
      Change change) {
    KubeObject before = objects.of(entry);
    preconditions.check(ref, before);
    Outcome outcome = change.of(before);
    if (outcome instanceof Outcome.Write(ObjectNode tree)) {
      onlyDefault(ref, tree);
      options.admission().check(before, KubeObject.of(tree));
    }
    CompletableFuture<Changed> done =
        switch (outcome) {
          case Outcome.Keep _ -> CompletableFuture.completedFuture(new Changed(before, false));
          case Outcome.Write(ObjectNode tree) -> replace(ref, entry, before.tree(), tree, options);
          case Outcome.Remove removal -> remove(ref, entry, removal, options);
        };
    return done.exceptionallyCompose(failure ->
        switch (unwrapped(failure)) {
          case PreconditionFailedException faster -> {
            Entry current = faster.current();
            yield current == null
                ? CompletableFuture.failedFuture(Errors.notFound(ref))
                : change(ref, current, preconditions, options, change);
          }
          case Throwable other -> CompletableFuture.failedFuture(other);
        });
  }

  private CompletableFuture<Changed> replace(
      ObjectRef ref, Entry entry, ObjectNode before, ObjectNode tree, WriteOptions options) {
    if (options.dryRun()) {
      return CompletableFuture.completedFuture(
          new Changed(SharedObjects.at(tree, entry.revision()), false));
    }
    Metadata.of(tree).remove(List.of("resourceVersion", "selfLink"));
    byte[] value = Json.bytes(tree, before, entry.value());
    tooLarge(ref, value);
    return Arrays.equals(value, entry.value())
        ? CompletableFuture.completedFuture(new Changed(objects.of(entry), false))
        : write(ref, value, tree, Expectation.revision(entry.revision()))
            .thenApply(object -> new Changed(object, false));
  }

  private CompletableFuture<Changed> remove(
      ObjectRef ref, Entry entry, Outcome.Remove removal, WriteOptions options) {
    ObjectNode last = removal.last();
    if (options.dryRun()) {
      return CompletableFuture.completedFuture(
          new Changed(SharedObjects.at(last, entry.revision()), true));
    }
    Expectation expectation = Expectation.revision(entry.revision());
    CompletableFuture<Long> deletion =
        removal.told()
            ? removeTold(ref, entry, last, expectation)
            : store.delete(Keys.of(ref), expectation);
    return deletion
        .thenApply(revision -> new Changed(SharedObjects.at(last, revision), true))
        .whenComplete((_, _) -> noteAccess(ref.kind()));
  }

  private CompletableFuture<Long> removeTold(
      ObjectRef ref, Entry entry, ObjectNode last, Expectation expectation) {
    Metadata.of(last).remove("resourceVersion");
    byte[] value = Json.bytes(last, objects.of(entry).tree(), entry.value());
    objects.writing(value, last);
    return store
        .delete(Keys.of(ref), value, expectation)
        .whenComplete((_, _) -> objects.wrote(value));
  }

  private CompletableFuture<KubeObject> create(
      Strategy strategy, KubeObject requested, KubeObject wanted, WriteOptions options, int tries) {
    Instant now = clock.instant();
    Creation creation = Creation.of(strategy, wanted, identities, now);
    if (namespacesMustExist && strategy.kind().equals(Kind.POD)) {
      RuntimeClassAdmission.validate(creation.ref(), creation.tree());
    }
    FieldManager manager = options.manager();
    if (manager != null) {
      ObjectNode asked = Requested.of(null, creation.tree(), requested.tree(), strategy);
      ManagedFields.updated(null, creation.tree(), asked, manager, now);
    }
    byte[] value = objects.bytes(strategy.kind(), creation.tree());
    tooLarge(creation.ref(), value);
    options.warn(() -> strategy.warnings(null, creation.tree()));
    onlyDefault(creation.ref(), creation.tree());
    options.admission().check(null, KubeObject.of(creation.tree()));
    if (options.dryRun()) {
      return store.get(Keys.of(creation.ref())) == null
          ? CompletableFuture.completedFuture(KubeObject.of(creation.tree()))
          : CompletableFuture.failedFuture(Errors.alreadyExists(creation.ref()));
    }
    if (Creation.namesRevision(wanted)) {
      throw Errors.badRequest("resourceVersion should not be set on objects to be created");
    }
    return write(creation.ref(), value, creation.tree(), Expectation.absent())
        .exceptionallyCompose(failure ->
            switch (unwrapped(failure)) {
              case PreconditionFailedException _ when creation.generated() && tries > 1 ->
                  create(strategy, requested, wanted, options, tries - 1);
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
        .whenComplete((_, _) -> {
          objects.wrote(value);
          noteAccess(ref.kind());
        });
  }

  private void noteAccess(Kind kind) {
    if (kind.group().equals(Kind.ROLE.group())) {
      accessChanges.incrementAndGet();
    }
  }

  /** How often roles and bindings have changed since this process began. */
  long accessChanges() {
    return accessChanges.get();
  }

  private static void tooLarge(ObjectRef ref, byte[] value) {
    if (value.length > MAX_OBJECT_BYTES) {
      throw Errors.tooLarge(ref, value.length, MAX_OBJECT_BYTES);
    }
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

  /** Only where there is a whole cluster: a lone Job runs whatever its class is called. */
  private KubeObject admitted(KubeObject wanted) {
    if (!namespacesMustExist || !kindOf(wanted).equals(Kind.POD)) {
      return wanted;
    }
    RuntimeClassAdmission.admit(wanted);
    return PodPriority.admit(wanted, this::priorityClass, this::priorityClasses);
  }

  private void onlyDefault(ObjectRef ref, ObjectNode tree) {
    if (ref.kind().equals(Kind.PRIORITY_CLASS)) {
      PodPriority.refuseSecondDefault(ref, tree, this::priorityClasses);
    }
  }

  private @Nullable ObjectNode priorityClass(String name) {
    Entry found = store.get(Keys.of(new ObjectRef(Kind.PRIORITY_CLASS, "", name)));
    return found == null ? null : objects.of(found).tree();
  }

  private Stream<ObjectNode> priorityClasses() {
    return store.list(Keys.prefix(Kind.PRIORITY_CLASS, null)).entries().stream()
        .map(entry -> objects.of(entry).tree());
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
