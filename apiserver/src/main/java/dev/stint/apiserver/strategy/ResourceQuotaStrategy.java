package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.ResourceDefaults;
import dev.stint.model.quota.ResourceQuotaRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of resource quotas, whose status the server and its controller keep. */
public final class ResourceQuotaStrategy extends PlainStrategy {
  public ResourceQuotaStrategy() {
    super(Kind.RESOURCE_QUOTA);
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public List<FieldError> create(ObjectNode quota) {
    quota.putObject("status");
    roundUp(quota);
    FieldErrors faults = new FieldErrors();
    faults.addAll(super.create(quota));
    ResourceQuotaRules.check(FieldPath.root(quota).get("spec"), faults);
    return faults.list();
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    if (before.get("spec") != after.get("spec")) {
      roundUp(after);
    }
    FieldErrors faults = new FieldErrors();
    faults.addAll(super.update(before, after));
    ResourceQuotaRules.update(
        FieldPath.root(before).get("spec"), FieldPath.root(after).get("spec"), faults);
    return faults.list();
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
