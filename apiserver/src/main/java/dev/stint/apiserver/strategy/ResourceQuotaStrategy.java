package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.ResourceDefaults;
import dev.stint.model.quota.ResourceQuotaRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of resource quotas, whose status the server and its controller keep. */
public final class ResourceQuotaStrategy extends CheckedStrategy {
  public ResourceQuotaStrategy() {
    super(Kind.RESOURCE_QUOTA);
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  void prepare(ObjectNode quota, @Nullable ObjectNode stored) {
    if (stored == null) {
      quota.putObject("status");
    }
    if (stored == null || stored.get("spec") != quota.get("spec")) {
      roundUp(quota);
    }
  }

  @Override
  void checkNew(FieldPath root, FieldErrors faults) {
    ResourceQuotaRules.check(root.get("spec"), faults);
  }

  @Override
  void checkChanged(FieldPath before, FieldPath after, FieldErrors faults) {
    ResourceQuotaRules.update(before.get("spec"), after.get("spec"), faults);
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    ResourceQuotaRules.status(FieldPath.root(after).get("status"), faults);
    return faults.list();
  }

  private static void roundUp(ObjectNode quota) {
    ObjectNode spec = Json.objectAt(quota, "spec");
    if (spec != null) {
      ResourceDefaults.roundUp(spec, "hard");
    }
  }
}
