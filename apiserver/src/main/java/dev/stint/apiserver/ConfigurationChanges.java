package dev.stint.apiserver;

import dev.stint.model.Kind;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the changes of objects that configure this server, since the process began. */
final class ConfigurationChanges {
  private final AtomicLong access = new AtomicLong();
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
  void onBegin(Kind kind) {
    if (kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
      definitionsOnTheirWay.incrementAndGet();
    }
  }

  /** Called after each write or deletion, whether it succeeded or not. */
  void onEnd(Kind kind) {
    if (kind.group().equals(Kind.ROLE.group())) {
      access.incrementAndGet();
    } else if (kind.group().equals(Kind.FLOW_SCHEMA.group())) {
      flowControl.incrementAndGet();
    } else if (kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
      definitions.incrementAndGet();
      definitionsOnTheirWay.decrementAndGet();
    }
  }

  /** Counts the changes of roles and bindings. */
  long access() {
    return access.get();
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
