package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;

/** The columns of pods. */
final class PodColumns {
  static final List<Column> ALL =
      List.of(
          Column.named(),
          Column.text(
              "Ready",
              "The number of ready containers, and how many there are.",
              o -> PodState.of(o).readyText()),
          Column.text(
              "Status",
              "The state of the pod, or why it does not run.",
              o -> PodState.of(o).reason()),
          Column.timed(
              "Restarts",
              "How often containers were restarted, and when last.",
              (o, now) -> PodState.of(o).restartsText(now)),
          Column.age(),
          Column.text("IP", "The pod's address.", o -> Column.orNone(address(o))).onlyWide(),
          Column.text(
                  "Node",
                  "The node that the pod is bound to.",
                  o -> Column.orNone(o.get("spec", "nodeName").text()))
              .onlyWide(),
          Column.text(
                  "Nominated Node",
                  "The node on which other pods are preempted for this one.",
                  o -> Column.orNone(o.get("status", "nominatedNodeName").text()))
              .onlyWide(),
          Column.text(
                  "Readiness Gates",
                  "The number of true readiness gates, and how many there are.",
                  PodColumns::gates)
              .onlyWide());

  private PodColumns() {}

  private static String address(FieldPath pod) {
    List<FieldPath> addresses = pod.get("status", "podIPs").items();
    return addresses.isEmpty()
        ? pod.get("status", "podIP").text()
        : addresses.getFirst().get("ip").text();
  }

  private static String gates(FieldPath pod) {
    List<FieldPath> gates = pod.get("spec", "readinessGates").items();
    long open =
        gates.stream().filter(g -> PodState.isTrue(pod, g.get("conditionType").text())).count();
    return gates.isEmpty() ? Column.NONE : open + "/" + gates.size();
  }
}
