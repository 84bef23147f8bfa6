package dev.stint.apiserver;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entries;
import dev.stint.store.Entry;
import dev.stint.store.RefusedException;
import dev.stint.store.StoreView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses new objects from the write on that begins the deletion of their namespace or, if their
 * kind is a custom one, of its definition, durable or not. The store's sequencer decides, so that
 * who sees the deletion and then lists the objects sees all that there will ever be.
 */
final class CreationGuard {
  private final SharedObjects shared;
  private final Supplier<ApiCatalogue> catalogue;
  private final boolean namespacesMustExist;

  /** A creation was refused since the namespace or the definition is being deleted, or has gone. */
  static final class TerminatingException extends RefusedException {
    private static final long serialVersionUID = 1L;
    private final transient ObjectRef parent;
    private final boolean hasGone;

    TerminatingException(ObjectRef parent, boolean hasGone) {
      super(parent + (hasGone ? " has gone" : " is being deleted"));
      this.parent = parent;
      this.hasGone = hasGone;
    }

    /** Returns the refusal to create an object, in the API's words. */
    ClusterException answer(ObjectRef ref) {
      if (!parent.kind().equals(Kind.NAMESPACE)) {
        return ApiErrors.terminatingDefinition();
      }
      return hasGone ? ApiErrors.notFound(parent) : ApiErrors.terminatingNamespace(ref);
    }
  }

  /**
   * @param catalogue returns the resources that are served now
   * @param namespacesMustExist true if admission refuses objects in namespaces that do not exist
   */
  CreationGuard(
      SharedObjects shared, Supplier<ApiCatalogue> catalogue, boolean namespacesMustExist) {
    this.shared = shared;
    this.catalogue = catalogue;
    this.namespacesMustExist = namespacesMustExist;
  }

  /**
   * Returns the same writes for the creation of an object, which are refused with its creation.
   *
   * @param store shows the current namespace and definition, which saves work
   */
  AccompanyingWrites guard(ObjectRef ref, StoreView store, AccompanyingWrites along) {
    Parent namespace = ref.kind().namespaced() ? namespace(ref.namespace(), store) : null;
    Parent definition = isCustom(ref.kind()) ? definition(ref.kind(), store) : null;
    if (namespace == null && definition == null) {
      return along;
    }
    return entries -> {
      check(definition, entries);
      check(namespace, entries);
      return along.decide(entries);
    };
  }

  /**
   * Returns the namespace; null if it does not exist and need not. That is true of {@code default}
   * at first, and of every namespace where none must exist. All others existed when the object was
   * admitted. If one of them does not exist now, it has gone since, and the creation is refused.
   */
  private @Nullable Parent namespace(String name, StoreView store) {
    ObjectRef ref = new ObjectRef(Kind.NAMESPACE, "", name);
    Entry known = store.get(StorageKeys.of(ref));
    return known == null && !mustExist(name) ? null : new Parent(ref, standing(known));
  }

  private boolean mustExist(String namespace) {
    return namespacesMustExist && !namespace.equals(NewObject.DEFAULT_NAMESPACE);
  }

  private Parent definition(Kind kind, StoreView store) {
    String name = kind.plural() + "." + kind.group();
    ObjectRef ref = new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", name);
    return new Parent(ref, standing(store.get(StorageKeys.of(ref))));
  }

  private boolean isCustom(Kind kind) {
    ApiResource resource = catalogue.get().of(kind);
    return resource == null || resource.isCustom();
  }

  private @Nullable Entry standing(@Nullable Entry entry) {
    return entry == null || shared.of(entry).deletionTimestamp() != null ? null : entry;
  }

  private void check(@Nullable Parent parent, Entries entries) throws RefusedException {
    if (parent == null) {
      return;
    }
    Entry now = entries.get(parent.key);
    if (!isStanding(parent, now)) {
      throw new TerminatingException(parent.ref, now == null);
    }
  }

  private boolean isStanding(Parent parent, @Nullable Entry now) {
    if (now == null) {
      return false;
    }
    boolean isUnchanged = parent.standing != null && parent.standing.revision() == now.revision();
    return isUnchanged || shared.peek(now).deletionTimestamp() == null;
  }

  /**
   * The namespace or the definition of an object.
   *
   * @param standing its entry when the creation was decided; null if there was none, or it was
   *     being deleted
   */
  private record Parent(ObjectRef ref, String key, @Nullable Entry standing) {
    Parent(ObjectRef ref, @Nullable Entry standing) {
      this(ref, StorageKeys.of(ref), standing);
    }
  }
}
