package dev.stint.model.kept;

import dev.stint.model.Json;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * The removal of fields that a new type of a service does not have, as far as the change leaves
 * them alone. Otherwise a client would have to remove what the server filled in.
 */
final class ServiceTypeChange {
  private static final List<String> OF_ADDRESSES =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");
  private static final List<String> OF_LOAD_BALANCERS =
      List.of("allocateLoadBalancerNodePorts", "loadBalancerClass");

  private ServiceTypeChange() {}

  static void dropUnused(ObjectNode old, ObjectNode spec) {
    if (isOver(old, spec, each -> !ServiceDefaults.isExternalName(each))) {
      OF_ADDRESSES.forEach(member -> dropIfUnchanged(old, spec, member));
    }
    if (isOver(old, spec, ServiceDefaults::hasNodePorts)
        && nodePorts(old).equals(nodePorts(spec))) {
      ServiceDefaults.ports(spec).forEach(port -> port.remove("nodePort"));
    }
    if (endsLoadBalancer(old, spec)) {
      OF_LOAD_BALANCERS.forEach(member -> dropIfUnchanged(old, spec, member));
    }
    if (isOver(old, spec, ServiceTypeChange::isReachedFromOutside)) {
      dropIfUnchanged(old, spec, "externalTrafficPolicy");
    }
    if (isOver(old, spec, ServiceDefaults::hasHealthPort)) {
      dropIfUnchanged(old, spec, "healthCheckNodePort");
    }
  }

  /** True if a service has a load balancer no longer, and so no addresses of one. */
  static boolean endsLoadBalancer(ObjectNode old, ObjectNode spec) {
    return isOver(old, spec, ServiceTypeChange::isLoadBalancer);
  }

  /** True if something held before the change and does not hold after it. */
  private static boolean isOver(ObjectNode old, ObjectNode spec, Predicate<ObjectNode> what) {
    return what.test(old) && !what.test(spec);
  }

  private static void dropIfUnchanged(ObjectNode old, ObjectNode spec, String member) {
    if (old.path(member).equals(spec.path(member))) {
      spec.remove(member);
    }
  }

  private static List<Integer> nodePorts(ObjectNode spec) {
    return ServiceDefaults.ports(spec).stream()
        .map(port -> port.path("nodePort").asInt(0))
        .sorted()
        .toList();
  }

  private static boolean isLoadBalancer(ObjectNode spec) {
    return "LoadBalancer".equals(Json.text(spec, "type"));
  }

  private static boolean isReachedFromOutside(ObjectNode spec) {
    return ServiceDefaults.hasNodePorts(spec)
        || !ServiceDefaults.isExternalName(spec) && !ServiceDefaults.isEmpty(spec, "externalIPs");
  }
}
