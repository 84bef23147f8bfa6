package dev.stint.apiserver;

import dev.stint.apiserver.flowcontrol.FlowControlSource;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;

/** Reads flow schemas and priority levels from the store. */
final class StoredFlowControl implements FlowControlSource {
  private final Registry registry;

  StoredFlowControl(Registry registry) {
    this.registry = registry;
  }

  @Override
  public long revision() {
    return registry.changes().flowControl();
  }

  @Override
  public List<KubeObject> list(Kind kind) {
    return registry.list(kind, null).join().items();
  }
}
