package dev.stint.apiserver.admission;

import dev.stint.apiserver.strategy.PodPriority;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Resolves the priority classes of new pods, and admits one default class only. */
public final class PriorityAdmission implements AdmissionStep {
  private final ObjectReader stored;
  private final boolean resolves;

  /**
   * @param resolves true if pods get their priority from classes, which must exist
   */
  public PriorityAdmission(ObjectReader stored, boolean resolves) {
    this.stored = stored;
    this.resolves = resolves;
  }

  @Override
  public KubeObject mutate(Kind kind, KubeObject wanted) throws ClusterException {
    return resolves && kind.equals(Kind.POD)
        ? PodPriority.admit(wanted, this::priorityClass, this::priorityClasses)
        : wanted;
  }

  @Override
  public void validateNew(ObjectRef ref, ObjectNode sent, ObjectNode after, WriteOptions options)
      throws ClusterException {
    refuseSecondDefault(ref, after);
  }

  @Override
  public void validateChange(
      ObjectRef ref, ObjectNode before, ObjectNode after, WriteOptions options)
      throws ClusterException {
    refuseSecondDefault(ref, after);
  }

  private void refuseSecondDefault(ObjectRef ref, ObjectNode tree) throws ClusterException {
    if (ref.kind().equals(Kind.PRIORITY_CLASS)) {
      PodPriority.refuseSecondDefault(ref, tree, this::priorityClasses);
    }
  }

  private @Nullable ObjectNode priorityClass(String name) {
    return stored.tree(new ObjectRef(Kind.PRIORITY_CLASS, "", name));
  }

  private Stream<ObjectNode> priorityClasses() {
    return stored.trees(Kind.PRIORITY_CLASS, null);
  }
}
