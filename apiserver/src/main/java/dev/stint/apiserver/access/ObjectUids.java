package dev.stint.apiserver.access;

import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;

/** Tells which objects there are. Asked with every request that shows a token: must be quick. */
public interface ObjectUids {
  /** The uid of an object, or null where there is no such object. */
  @Nullable String of(ObjectRef object);
}
