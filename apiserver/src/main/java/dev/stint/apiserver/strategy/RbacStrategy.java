package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.access.BindingAdmission;
import dev.stint.model.access.RoleAdmission;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** The strategy of roles and their bindings; the model contains their rules. */
public final class RbacStrategy implements Strategy {
  private final Kind kind;
  private final Function<ObjectNode, List<FieldError>> creation;
  private final BiFunction<ObjectNode, ObjectNode, List<FieldError>> change;

  private RbacStrategy(
      Kind kind,
      Function<ObjectNode, List<FieldError>> creation,
      BiFunction<ObjectNode, ObjectNode, List<FieldError>> change) {
    this.kind = kind;
    this.creation = creation;
    this.change = change;
  }

  public static Strategy ofRoles() {
    return new RbacStrategy(Kind.ROLE, RoleAdmission::createRole, RoleAdmission::update);
  }

  public static Strategy ofClusterRoles() {
    return new RbacStrategy(
        Kind.CLUSTER_ROLE, RoleAdmission::createClusterRole, RoleAdmission::update);
  }

  public static Strategy ofRoleBindings() {
    return new RbacStrategy(
        Kind.ROLE_BINDING, BindingAdmission::createRoleBinding, BindingAdmission::update);
  }

  public static Strategy ofClusterRoleBindings() {
    return new RbacStrategy(
        Kind.CLUSTER_ROLE_BINDING,
        BindingAdmission::createClusterRoleBinding,
        BindingAdmission::update);
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
  public List<FieldError> create(ObjectNode object) {
    return creation.apply(object);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    return change.apply(before, after);
  }
}
