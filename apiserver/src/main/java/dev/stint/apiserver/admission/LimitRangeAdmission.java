package dev.stint.apiserver.admission;

import dev.stint.apiserver.outcome.NewObject;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.limit.ContainerLimitDefaults;
import dev.stint.model.limit.LimitConstraints;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The admission of new pods by the limit ranges of their namespace. */
public final class LimitRangeAdmission implements AdmissionStep {
  private final ObjectReader stored;

  public LimitRangeAdmission(ObjectReader stored) {
    this.stored = stored;
  }

  /** Returns a pod with the requests and limits that its containers lack. */
  @Override
  public KubeObject mutate(Kind kind, KubeObject pod) {
    if (!kind.equals(Kind.POD)) {
      return pod;
    }
    List<ObjectNode> ranges =
        ranges(pod.namespace().isEmpty() ? NewObject.DEFAULT_NAMESPACE : pod.namespace());
    return ranges.isEmpty() ? pod : ContainerLimitDefaults.apply(pod, ranges);
  }

  /** Throws {@code FORBIDDEN} if a pod exceeds a limit. */
  @Override
  public void validateNew(ObjectRef ref, ObjectNode sent, ObjectNode pod, WriteOptions options)
      throws ClusterException {
    if (!ref.kind().equals(Kind.POD)) {
      return;
    }
    List<ObjectNode> ranges = ranges(ref.namespace());
    ObjectNode spec = Json.objectAt(pod, "spec");
    String refusal = ranges.isEmpty() || spec == null ? "" : LimitConstraints.refusal(spec, ranges);
    if (!refusal.isEmpty()) {
      throw ApiErrors.forbidden(ref, refusal);
    }
  }

  private List<ObjectNode> ranges(String namespace) {
    return stored.hasAny(Kind.LIMIT_RANGE, namespace)
        ? stored.trees(Kind.LIMIT_RANGE, namespace).toList()
        : List.of();
  }
}
