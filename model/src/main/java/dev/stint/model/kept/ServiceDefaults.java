package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.pod.Defaults;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The defaults of services, and the addresses and ports that a cluster allocates to them. Nothing
 * routes to those here: they follow from the uid, and are not checked to be unique.
 */
final class ServiceDefaults {
  static final String NONE = "None";
  private static final int FIRST_NODE_PORT = 30_000;
  private static final int NODE_PORTS = 2_768;
  private static final int STICKY_SECONDS = 10_800;
  private static final List<String> ALLOCATED = List.of("clusterIP", "clusterIPs");
  private static final String HEALTH = "healthCheckNodePort";

  private ServiceDefaults() {}

  static boolean isExternalName(ObjectNode spec) {
    return "ExternalName".equals(Json.text(spec, "type"));
  }

  static boolean hasNodePorts(ObjectNode spec) {
    String type = Json.text(spec, "type");
    return "NodePort".equals(type) || "LoadBalancer".equals(type);
  }

  /** True if a service has a port at which nodes say whether they have pods of it. */
  static boolean hasHealthPort(ObjectNode spec) {
    return "LoadBalancer".equals(Json.text(spec, "type"))
        && "Local".equals(Json.text(spec, "externalTrafficPolicy"));
  }

  /** True if a port is in the range of node ports. */
  static boolean isNodePort(long port) {
    return port >= FIRST_NODE_PORT && port < FIRST_NODE_PORT + NODE_PORTS;
  }

  /** Says how traffic reaches the addresses of a load balancer. */
  static void addressModes(ObjectNode service) {
    JsonNode balancer = service.path("status").path("loadBalancer").path("ingress");
    if ("LoadBalancer".equals(service.path("spec").path("type").asString(""))) {
      for (JsonNode ingress : balancer) {
        if (ingress instanceof ObjectNode address && !isEmpty(address, "ip")) {
          Defaults.optionalText(address, "ipMode", "VIP");
        }
      }
    }
  }

  /** Fills in what Kubernetes does before it looks at the stored object. */
  static void apply(ObjectNode spec) {
    Defaults.text(spec, "sessionAffinity", NONE);
    Defaults.text(spec, "type", "ClusterIP");
    if ("ClientIP".equals(Json.text(spec, "sessionAffinity"))) {
      ObjectNode client =
          spec.withObjectProperty("sessionAffinityConfig").withObjectProperty("clientIP");
      Defaults.integer(client, "timeoutSeconds", STICKY_SECONDS);
    }
    ports(spec).forEach(ServiceDefaults::port);
    boolean external = hasNodePorts(spec) || !isEmpty(spec, "externalIPs");
    if (external && !isExternalName(spec)) {
      Defaults.text(spec, "externalTrafficPolicy", "Cluster");
    }
    if (!isExternalName(spec)) {
      Defaults.text(spec, "internalTrafficPolicy", "Cluster");
    }
    if ("LoadBalancer".equals(Json.text(spec, "type"))) {
      Defaults.bool(spec, "allocateLoadBalancerNodePorts", true);
    }
  }

  private static void port(ObjectNode port) {
    Defaults.text(port, "protocol", "TCP");
    JsonNode target = port.get("targetPort");
    boolean none =
        target == null || target.asString("").isEmpty() || target.asString("").equals("0");
    if (none && port.get("port") != null) {
      port.set("targetPort", port.get("port"));
    }
  }

  /** Keeps what was allocated, if a changed service still has use for it and names no other. */
  static void keep(ObjectNode old, ObjectNode spec) {
    if (isExternalName(old) || isExternalName(spec)) {
      return;
    }
    String address = Json.text(spec, "clusterIP");
    boolean other =
        !isEmpty(spec, "clusterIP") && !spec.path("clusterIP").equals(old.get("clusterIP"));
    if (other
        && (isEmpty(spec, "clusterIPs") || spec.path("clusterIPs").equals(old.get("clusterIPs")))) {
      spec.putArray("clusterIPs").add(address);
    }
    ALLOCATED.forEach(member -> keep(old, spec, member));
    if (hasHealthPort(old) && hasHealthPort(spec)) {
      keep(old, spec, HEALTH);
    }
    if (hasNodePorts(old) && hasNodePorts(spec)) {
      ports(spec).forEach(port -> keepNodePort(old, port));
    }
  }

  private static void keep(ObjectNode old, ObjectNode spec, String member) {
    if (isEmpty(spec, member) && old.get(member) != null) {
      spec.set(member, old.get(member).deepCopy());
    }
  }

  private static void keepNodePort(ObjectNode old, ObjectNode port) {
    for (ObjectNode known : ports(old)) {
      boolean same =
          known.path("port").equals(port.path("port"))
              && known.path("protocol").equals(port.path("protocol"));
      if (same && isEmpty(port, "nodePort") && known.get("nodePort") != null) {
        port.set("nodePort", known.get("nodePort"));
      }
    }
  }

  /** Gives a service the addresses and ports that it lacks. */
  static void allocate(ObjectNode spec, String uid) {
    if (isExternalName(spec)) {
      return;
    }
    address(spec, uid);
    families(spec);
    if (hasNodePorts(spec)
        && !Boolean.FALSE.equals(Json.bool(spec, "allocateLoadBalancerNodePorts"))) {
      nodePorts(spec, uid);
    }
    if (hasHealthPort(spec) && isEmpty(spec, HEALTH)) {
      spec.put(HEALTH, freePort(spec, uid));
    }
  }

  private static void address(ObjectNode spec, String uid) {
    ArrayNode addresses = Json.arrayAt(spec, "clusterIPs");
    String first = addresses == null || addresses.isEmpty() ? "" : addresses.get(0).asString("");
    if (first.isEmpty()) {
      if (isEmpty(spec, "clusterIP")) {
        spec.put("clusterIP", addressOf(uid));
      }
      spec.putArray("clusterIPs").add(Json.text(spec, "clusterIP"));
    }
  }

  /** Returns an address in 10.96.0.0/12. */
  private static String addressOf(String uid) {
    int place = Math.floorMod(uid.hashCode() * 0x9E3779B1, (1 << 20) - 2) + 1;
    return "10.%d.%d.%d".formatted(96 + (place >> 16), place >> 8 & 255, place & 255);
  }

  /** Says the families of a cluster that has IPv4 alone. */
  private static void families(ObjectNode spec) {
    boolean six = spec.path("clusterIP").asString("").contains(":");
    boolean free = NONE.equals(Json.text(spec, "clusterIP")) && isEmpty(spec, "selector");
    boolean both = spec.path("ipFamilies").size() > 1 || spec.path("clusterIPs").size() > 1;
    Defaults.text(spec, "ipFamilyPolicy", free || both ? "RequireDualStack" : "SingleStack");
    if (isEmpty(spec, "ipFamilies")) {
      ArrayNode families = spec.putArray("ipFamilies").add(six ? "IPv6" : "IPv4");
      if (free && "RequireDualStack".equals(Json.text(spec, "ipFamilyPolicy"))) {
        families.add("IPv6");
      }
    }
  }

  private static void nodePorts(ObjectNode spec, String uid) {
    for (ObjectNode port : ports(spec)) {
      if (isEmpty(port, "nodePort")) {
        port.put("nodePort", freePort(spec, uid));
      }
    }
  }

  /** Returns a node port that the service does not have yet. */
  private static int freePort(ObjectNode spec, String uid) {
    Set<Integer> taken = new HashSet<>();
    ports(spec).forEach(port -> taken.add(port.path("nodePort").asInt(0)));
    int next = Math.floorMod(uid.hashCode(), NODE_PORTS);
    while (taken.contains(FIRST_NODE_PORT + next)) {
      next = (next + 1) % NODE_PORTS;
    }
    return FIRST_NODE_PORT + next;
  }

  static List<ObjectNode> ports(ObjectNode spec) {
    ArrayNode ports = Json.arrayAt(spec, "ports");
    return ports == null
        ? List.of()
        : ports
            .valueStream()
            .filter(ObjectNode.class::isInstance)
            .map(ObjectNode.class::cast)
            .toList();
  }

  static boolean isEmpty(ObjectNode tree, String member) {
    @Nullable JsonNode found = tree.get(member);
    return found == null
        || found.isNull()
        || (found.isContainer() ? found.isEmpty() : found.asString("").matches("0?"));
  }
}
