package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.access.BindingAdmission;
import dev.stint.model.field.FieldError;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of RoleBindings and ClusterRoleBindings; the model contains their rules. */
public final class BindingStrategy implements Strategy {
  private final Kind kind;

  /**
   * @param kind {@link Kind#ROLE_BINDING} or {@link Kind#CLUSTER_ROLE_BINDING}
   */
  public BindingStrategy(Kind kind) {
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
  public List<FieldError> create(ObjectNode binding) {
    return kind.namespaced()
        ? BindingAdmission.createRoleBinding(binding)
        : BindingAdmission.createClusterRoleBinding(binding);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    return BindingAdmission.update(before, after);
  }
}
