package dev.stint.apiserver.access;

import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;

/** Looks up the uids of objects. Called with every request that has a token: must be fast. */
public interface ObjectUids {
  /** Returns the uid of an object, or null if it does not exist. */
  @Nullable String of(ObjectRef object);
}
