package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of nodes. */
final class NodeColumns {
  private static final String ROLE = "node-role.kubernetes.io/";

  static final List<Column> ALL =
      List.of(
          Column.named(),
          Column.text("Status", "Whether the node accepts pods.", NodeColumns::status),
          Column.text("Roles", "The roles of the node, from its labels.", NodeColumns::roles),
          Column.age(),
          Column.text("Version", "The version of the node agent.", o -> info(o, "kubeletVersion")),
          address("Internal-IP", "InternalIP", "The node's address in the cluster network."),
          address("External-IP", "ExternalIP", "The node's address as seen from outside."),
          known("OS-Image", "osImage", "The operating system."),
          known("Kernel-Version", "kernelVersion", "The kernel."),
          known("Container-Runtime", "containerRuntimeVersion", "The container runtime."));

  private NodeColumns() {}

  private static String status(FieldPath node) {
    String ready =
        node.get("status", "conditions").items().stream()
            .filter(c -> c.get("type").text().equals("Ready"))
            .map(c -> c.get("status").text().equals("True") ? "Ready" : "NotReady")
            .findFirst()
            .orElse("Unknown");
    return node.get("spec", "unschedulable").isTrue() ? ready + ",SchedulingDisabled" : ready;
  }

  private static String roles(FieldPath node) {
    return Column.orNone(
        node.get("metadata", "labels").entries().stream()
            .flatMap(NodeColumns::role)
            .sorted()
            .distinct()
            .collect(Collectors.joining(",")));
  }

  private static Stream<String> role(FieldPath label) {
    String role =
        label.key().startsWith(ROLE)
            ? label.key().substring(ROLE.length())
            : label.key().equals("kubernetes.io/role") ? label.text() : "";
    return role.isEmpty() ? Stream.empty() : Stream.of(role);
  }

  private static Column address(String name, String type, String description) {
    return Column.text(
            name,
            description,
            o ->
                o.get("status", "addresses").items().stream()
                    .filter(a -> a.get("type").text().equals(type))
                    .map(a -> a.get("address").text())
                    .findFirst()
                    .orElse(Column.NONE))
        .onlyWide();
  }

  private static Column known(String name, String member, String description) {
    return Column.text(
            name, description, o -> info(o, member).isEmpty() ? AgeFormat.UNKNOWN : info(o, member))
        .onlyWide();
  }

  private static String info(FieldPath node, String member) {
    return node.get("status", "nodeInfo", member).text();
  }
}
