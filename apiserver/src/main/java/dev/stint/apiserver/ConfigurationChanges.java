package dev.stint.apiserver;

import dev.stint.model.Kind;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the changes of objects that configure this server, since the process began. */
final class ConfigurationChanges {
  private final AtomicLong access = new AtomicLong();
  private final AtomicLong flowControl = new AtomicLong();
  private final AtomicLong definitions = new AtomicLong();

  /** True if objects of this kind configure this server. */
  static boolean isConfiguration(Kind kind) {
    return kind.group().equals(Kind.ROLE.group())
        || kind.group().equals(Kind.FLOW_SCHEMA.group())
        || kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION);
  }

  /** Called after each write or deletion. */
  void onWrite(Kind kind) {
    if (kind.group().equals(Kind.ROLE.group())) {
      access.incrementAndGet();
    } else if (kind.group().equals(Kind.FLOW_SCHEMA.group())) {
      flowControl.incrementAndGet();
    } else if (kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
      definitions.incrementAndGet();
    }
  }

  /** Counts the changes of roles and bindings. */
  long access() {
    return access.get();
  }

  /** Counts the changes of definitions of custom resources. */
  long definitions() {
    return definitions.get();
  }

  /** Counts the changes of flow schemas and priority levels. */
  long flowControl() {
    return flowControl.get();
  }
}
