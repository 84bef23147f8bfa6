package dev.stint.apiserver.access;

import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;

/** Looks up the uids of objects. Called with every request that has a token: must be fast. */
public interface ObjectUids {
  /** Returns the uid of an object, or null if it does not exist. */
  @Nullable String of(ObjectRef object);

  /**
   * Returns the uid of an object that tokens may rely on; null if it is gone, about to go, or a pod
   * that has ended.
   */
  default @Nullable String ofLive(ObjectRef object) {
    return of(object);
  }

  /** Returns the name of the service account of a pod; null if that is unknown. */
  default @Nullable String accountOf(ObjectRef pod) {
    return null;
  }
}
