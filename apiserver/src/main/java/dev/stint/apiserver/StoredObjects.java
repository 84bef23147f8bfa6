package dev.stint.apiserver;

import dev.stint.apiserver.admission.ObjectReader;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.outcome.ChangeOutcome;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.quota.QuotaDecision.ObjectChange;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entry;
import dev.stint.store.Precondition;
import dev.stint.store.RefusedException;
import dev.stint.store.Snapshot;
import dev.stint.store.StoreView;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stored objects: reads them, and does what all writes share, which is to serialise an object,
 * limit its size, and cache it for the next readers.
 */
final class StoredObjects implements ObjectReader {
  /** 1.5 MiB, the limit of a cluster's store. */
  private static final int MAX_OBJECT_BYTES = 3 << 19;

  /** The growth that needs no room, so that labels and finalizers can still be written. */
  private static final int MOST_GROWTH_WITHOUT_ROOM = 1 << 10;

  private final StoreView store;

  /** The durable entries: those that roles and bindings are read from. */
  private final StoreView durable;

  private final SharedObjects shared;
  private final NamespaceQuotas quotas;
  private final CreationGuard creations;
  private final ConfigurationChanges changes;
  private final Supplier<ObjectRoom> room;
  private final NamespaceShares shares;

  /**
   * @param room returns the room for more objects
   * @param catalogue returns the resources that are served now
   * @param namespacesMustExist true if admission refuses objects in namespaces that do not exist
   */
  StoredObjects(
      StoreView store,
      SharedObjects shared,
      Supplier<ObjectRoom> room,
      Supplier<ApiCatalogue> catalogue,
      boolean namespacesMustExist) {
    this(
        store,
        store,
        shared,
        new ConfigurationChanges(),
        room,
        new NamespaceQuotas(shared, catalogue),
        new CreationGuard(shared, catalogue, namespacesMustExist),
        new NamespaceShares(catalogue));
  }

  private StoredObjects(
      StoreView store,
      StoreView durable,
      SharedObjects shared,
      ConfigurationChanges changes,
      Supplier<ObjectRoom> room,
      NamespaceQuotas quotas,
      CreationGuard creations,
      NamespaceShares shares) {
    this.room = room;
    this.shares = shares;
    this.store = store;
    this.durable = durable;
    this.shared = shared;
    this.quotas = quotas;
    this.creations = creations;
    this.changes = changes;
  }

  /** Returns the same objects over another view of the store. */
  StoredObjects over(StoreView view) {
    return new StoredObjects(view, durable, shared, changes, room, quotas, creations, shares);
  }

  StoreView store() {
    return store;
  }

  SharedObjects shared() {
    return shared;
  }

  boolean has(ObjectRef ref) {
    return store.get(StorageKeys.of(ref)) != null;
  }

  /** Returns the stored entry of an object; null if it does not exist. */
  @Nullable Entry entry(ObjectRef ref) {
    return store.get(StorageKeys.of(ref));
  }

  KubeObject of(Entry entry) {
    return shared.of(entry);
  }

  @Override
  public @Nullable KubeObject object(ObjectRef ref) {
    Entry found = entry(ref);
    return found == null ? null : of(found);
  }

  @Override
  public @Nullable ObjectNode tree(ObjectRef ref) {
    KubeObject found = object(ref);
    return found == null ? null : found.tree();
  }

  @Override
  public Stream<ObjectNode> trees(Kind kind, @Nullable String namespace) {
    return snapshot(kind, namespace).entries().stream().map(entry -> of(entry).tree());
  }

  /** Returns the objects without caching them, which would evict shared ones. */
  @Override
  public List<KubeObject> objects(Kind kind, String namespace) {
    return new UnreadObjects(snapshot(kind, namespace).entries(), shared::peek);
  }

  @Override
  public boolean hasAny(Kind kind, String namespace) {
    return store.entries().hasPrefix(StorageKeys.prefix(kind, namespace));
  }

  /**
   * @param namespace null for all
   */
  Snapshot snapshot(Kind kind, @Nullable String namespace) {
    return store.list(StorageKeys.prefix(kind, namespace));
  }

  /** Returns a new object as bytes. Throws {@code TOO_LARGE} if there are too many. */
  byte[] bytes(ObjectRef ref, ObjectNode tree) {
    return checked(ref, shared.bytes(ref.kind(), tree));
  }

  /**
   * Returns a changed object as bytes, see {@link #bytes(ObjectRef, ObjectNode)}; reuses the bytes
   * of parts that it shares with the previous state.
   */
  byte[] bytes(ObjectRef ref, ObjectNode tree, Entry before) {
    return checked(ref, Json.bytes(tree, of(before).tree(), before.value()));
  }

  private static byte[] checked(ObjectRef ref, byte[] value) {
    if (value.length > MAX_OBJECT_BYTES) {
      throw ApiErrors.tooLarge(ref, value.length, MAX_OBJECT_BYTES);
    }
    return value;
  }

  /**
   * Writes an object, if what is stored is still {@code before} and the quotas of its namespace
   * have room. One value says what the store must hold and what the quotas charge for, so that a
   * deletion in between cannot make a creation look like an update.
   *
   * @param before the stored entry; null if there must be none
   */
  CompletableFuture<KubeObject> write(
      ObjectRef ref, byte[] value, ObjectNode tree, @Nullable Entry before) {
    if (lacksRoom(ref, value, tree, before)) {
      return CompletableFuture.failedFuture(ApiErrors.noRoom(ref));
    }
    Precondition precondition =
        before == null ? Precondition.absent() : Precondition.revision(before.revision());
    AccompanyingWrites usage =
        usage(
            ref,
            () -> new ObjectChange(ref.kind(), before == null ? null : of(before).tree(), tree));
    AccompanyingWrites along = before == null ? creations.guard(ref, store, usage) : usage;
    shared.writing(value, tree);
    changes.onBegin(ref);
    String key = before == null ? StorageKeys.of(ref) : before.key();
    return viewFor(ref)
        .put(key, value, precondition, along)
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(refused(ref, failure)))
        .thenApply(shared::of)
        .whenComplete((_, _) -> {
          shared.wrote(value);
          changes.onEnd(ref);
        });
  }

  /** True if a namespace may take more memory. */
  private boolean hasRoom(String namespace) {
    return switch (room.get()) {
      case AMPLE -> true;
      case SCARCE -> shares.mayGrow(namespace, durable);
      case NONE -> false;
    };
  }

  /**
   * True if a write makes the store notably larger, and its namespace has no room for that.
   * Statuses may always grow, so that existing objects can come to their end; few may write them.
   * Objects without a namespace need no room: the server creates some at its start, and only its
   * administrators create others.
   */
  private boolean lacksRoom(ObjectRef ref, byte[] value, ObjectNode tree, @Nullable Entry before) {
    if (before == null) {
      return ref.kind().namespaced() && !hasRoom(ref.namespace()) && !has(ref);
    }
    return value.length > before.length() + MOST_GROWTH_WITHOUT_ROOM
        && !hasRoom(ref.namespace())
        && growthWithoutStatus(of(before).tree(), tree) > MOST_GROWTH_WITHOUT_ROOM;
  }

  /** Returns by how many bytes the members that differ have grown, other than the status. */
  private static int growthWithoutStatus(ObjectNode before, ObjectNode after) {
    int growth = 0;
    for (var member : after.properties()) {
      JsonNode was = before.get(member.getKey());
      if (member.getValue() != was && !member.getKey().equals("status")) {
        growth += Json.bytes(member.getValue()).length - (was == null ? 0 : Json.bytes(was).length);
      }
    }
    return growth;
  }

  private AccompanyingWrites usage(ObjectRef ref, Supplier<ObjectChange> change) {
    return quotas.about(ref, change, store.entries());
  }

  /** Throws {@code FORBIDDEN} if the quotas of its namespace have no room for a new object. */
  void checkRoom(ObjectRef ref, ObjectNode tree) {
    try {
      var _ = usage(ref, () -> new ObjectChange(ref.kind(), null, tree)).decide(store.entries());
    } catch (RefusedException refused) {
      throw ApiErrors.forbidden(ref, String.valueOf(refused.getMessage()));
    }
  }

  /** Removes an object, if it is unchanged, and returns its last state. */
  CompletableFuture<KubeObject> remove(ObjectRef ref, Entry entry, ChangeOutcome.Remove removal) {
    Precondition precondition = Precondition.revision(entry.revision());
    ObjectNode last = removal.last();
    AccompanyingWrites usage =
        usage(ref, () -> new ObjectChange(ref.kind(), of(entry).tree(), null));
    changes.onBegin(ref);
    CompletableFuture<Long> deletion =
        removal.told()
            ? removeTold(ref, entry, last, precondition, usage)
            : viewFor(ref).delete(StorageKeys.of(ref), null, precondition, usage);
    return deletion
        .thenApply(revision -> SharedObjects.at(last, revision))
        .whenComplete((_, _) -> changes.onEnd(ref));
  }

  private CompletableFuture<Long> removeTold(
      ObjectRef ref,
      Entry entry,
      ObjectNode last,
      Precondition precondition,
      AccompanyingWrites usage) {
    MetadataDefaults.of(last).remove("resourceVersion");
    byte[] value = Json.bytes(last, of(entry).tree(), entry.value());
    shared.writing(value, last);
    return viewFor(ref)
        .delete(StorageKeys.of(ref), value, precondition, usage)
        .whenComplete((_, _) -> shared.wrote(value));
  }

  /** Returns the failure of a write; a refusal in the API's words. */
  private static Throwable refused(ObjectRef ref, Throwable failure) {
    return switch (ApiFutures.cause(failure)) {
      case CreationGuard.TerminatingException terminating -> terminating.answer(ref);
      case RefusedException refusal when refusal.getCause() == null ->
          ApiErrors.forbidden(ref, String.valueOf(refusal.getMessage()));
      case Throwable other -> other;
    };
  }

  /**
   * Returns the view to write to. Objects that configure this server, such as roles and bindings,
   * are never written ahead of the disk: once such a write is answered, and counted, it must be in
   * force.
   */
  private StoreView viewFor(ObjectRef ref) {
    return ConfigurationChanges.isConfiguration(ref.kind()) ? durable : store;
  }

  /** Counts the changes of objects that configure this server. */
  ConfigurationChanges changes() {
    return changes;
  }
}
