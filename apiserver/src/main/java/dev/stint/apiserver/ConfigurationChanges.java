package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts the changes of objects that configure this server, since the process began. */
final class ConfigurationChanges {
  /**
   * The number of counts for all namespaces, which come and go. Those that share a count look again
   * at what they have after a change of each other, which is little work.
   */
  private static final int COUNTS = 1 << 10;

  /** The first count is for what lies in no namespace. */
  private final AtomicLongArray access = new AtomicLongArray(1 + COUNTS);

  private final AtomicLong flowControl = new AtomicLong();
  private final AtomicLong definitions = new AtomicLong();
  private final AtomicInteger definitionsOnTheirWay = new AtomicInteger();

  /** True if objects of this kind configure this server. */
  static boolean isConfiguration(Kind kind) {
    return kind.group().equals(Kind.ROLE.group())
        || kind.group().equals(Kind.FLOW_SCHEMA.group())
        || kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION);
  }

  /** Called before each write or deletion. */
  void onBegin(ObjectRef ref) {
    if (ref.kind().equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
      definitionsOnTheirWay.incrementAndGet();
    }
  }

  /** Called after each write or deletion, whether it succeeded or not. */
  void onEnd(ObjectRef ref) {
    Kind kind = ref.kind();
    if (kind.group().equals(Kind.ROLE.group())) {
      access.incrementAndGet(place(ref.namespace()));
    } else if (kind.group().equals(Kind.FLOW_SCHEMA.group())) {
      flowControl.incrementAndGet();
    } else if (kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
      definitions.incrementAndGet();
      definitionsOnTheirWay.decrementAndGet();
    }
  }

  /**
   * Counts the changes of roles and bindings in a namespace, and maybe some in others.
   *
   * @param namespace "" for those of ClusterRoles and ClusterRoleBindings, and no others
   */
  long access(String namespace) {
    return access.get(place(namespace));
  }

  private static int place(String namespace) {
    return namespace.isEmpty() ? 0 : 1 + Math.floorMod(namespace.hashCode(), COUNTS);
  }

  /**
   * Counts the changes of definitions of custom resources. The store shows a write before it
   * answers it, so while one is on its way every call returns a new number: what was read meanwhile
   * is not kept, and who has seen the write in a watch finds it in force.
   */
  long definitions() {
    return definitionsOnTheirWay.get() == 0 ? definitions.get() : definitions.incrementAndGet();
  }

  /** Counts the changes of flow schemas and priority levels. */
  long flowControl() {
    return flowControl.get();
  }
}
