package dev.stint.apiserver;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.store.AccompanyingWrites;
import dev.stint.store.Entry;
import dev.stint.store.RefusedException;
import dev.stint.store.StoreView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses new objects of custom kinds from the write on that begins the deletion of their
 * definition, durable or not. The store's sequencer decides, so that who sees the deletion and then
 * lists the objects sees all that there will ever be.
 */
final class CustomCreations {
  private final SharedObjects shared;
  private final Supplier<ApiCatalogue> catalogue;

  /** A creation was refused since the definition is being deleted, or has gone. */
  static final class TerminatingException extends RefusedException {
    private static final long serialVersionUID = 1L;

    TerminatingException() {
      super("the definition is being deleted");
    }
  }

  /**
   * @param catalogue returns the resources that are served now
   */
  CustomCreations(SharedObjects shared, Supplier<ApiCatalogue> catalogue) {
    this.shared = shared;
    this.catalogue = catalogue;
  }

  /**
   * Returns the same writes for the creation of an object, which are refused with its creation.
   *
   * @param store shows the current definition, which saves work
   */
  AccompanyingWrites guard(Kind kind, StoreView store, AccompanyingWrites along) {
    ApiResource resource = catalogue.get().of(kind);
    if (resource != null && !resource.isCustom()) {
      return along;
    }
    String name = kind.plural() + "." + kind.group();
    String key = StorageKeys.of(new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", name));
    Entry known = store.get(key);
    Entry standing = known == null || shared.of(known).deletionTimestamp() != null ? null : known;
    return entries -> {
      Entry now = entries.get(key);
      if (now == null || (!isSame(now, standing) && isDeleting(now))) {
        throw new TerminatingException();
      }
      return along.decide(entries);
    };
  }

  private static boolean isSame(Entry now, @Nullable Entry before) {
    return before != null && before.revision() == now.revision();
  }

  private boolean isDeleting(Entry definition) {
    return shared.peek(definition).deletionTimestamp() != null;
  }
}
