package dev.stint.cluster;

import dev.stint.model.KubeObject;

/**
 * One change of one object.
 *
 * @param object the object after the change; for {@code DELETED}, its last state, with the revision
 *     of the deletion
 */
public record WatchEvent(Type type, KubeObject object) {
  /** The type of the change. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }
}
