package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.access.RoleAdmission;
import dev.stint.model.field.FieldError;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of Roles and ClusterRoles; the model contains their rules. */
public final class RoleStrategy implements Strategy {
  private final Kind kind;

  /**
   * @param kind {@link Kind#ROLE} or {@link Kind#CLUSTER_ROLE}
   */
  public RoleStrategy(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  @Override
  public List<FieldError> create(ObjectNode role) {
    return kind.namespaced()
        ? RoleAdmission.createRole(role)
        : RoleAdmission.createClusterRole(role);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    return RoleAdmission.update(before, after);
  }
}
