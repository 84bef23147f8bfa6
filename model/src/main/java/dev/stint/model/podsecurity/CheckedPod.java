package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * A pod or a pod template as the checks see it.
 *
 * @param metadata its metadata
 * @param spec its specification
 */
public record CheckedPod(FieldPath metadata, FieldPath spec) {
  private static final List<String> CONTAINER_LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /** Returns the pod of a document with {@code metadata} and {@code spec}. */
  public static CheckedPod of(ObjectNode podOrTemplate) {
    return of(FieldPath.root(podOrTemplate));
  }

  /** Returns the pod of a field with {@code metadata} and {@code spec}. */
  public static CheckedPod of(FieldPath podOrTemplate) {
    return new CheckedPod(podOrTemplate.get("metadata"), podOrTemplate.get("spec"));
  }

  /** Returns all containers, in the order in which Kubernetes names them. */
  List<FieldPath> containers() {
    List<FieldPath> containers = new ArrayList<>();
    for (String list : CONTAINER_LISTS) {
      containers.addAll(spec.get(list).items());
    }
    return containers;
  }

  /** Returns the names of the containers whose security context meets a condition. */
  List<String> namesWhere(Predicate<FieldPath> securityContext) {
    return containers().stream()
        .filter(container -> securityContext.test(container.get("securityContext")))
        .map(container -> container.get("name").text())
        .toList();
  }

  /** Calls back with the security context of the pod and of each container. */
  void eachSecurityContext(Consumer<FieldPath> each) {
    Stream.concat(Stream.of(spec), containers().stream())
        .forEach(holder -> each.accept(holder.get("securityContext")));
  }

  FieldPath securityContext() {
    return spec.get("securityContext");
  }

  FieldPath annotations() {
    return metadata.get("annotations");
  }

  /** True if the pod says that it is for Windows, where Linux' means of isolation do not exist. */
  boolean isForWindows() {
    return spec.get("os", "name").text().equals("windows");
  }

  /** True if the pod has a user namespace of its own, in which root is nobody on the host. */
  boolean hasUserNamespace() {
    FieldPath hostUsers = spec.get("hostUsers");
    return hostUsers.exists() && !hostUsers.isTrue();
  }
}
