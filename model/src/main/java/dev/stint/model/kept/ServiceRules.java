package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of services. Nothing routes to them. */
public final class ServiceRules implements KeptRules {
  private static final int KUBELET = 10_250;
  private static final int DAY = 86_400;
  private static final List<String> DISTRIBUTIONS =
      List.of("PreferClose", "PreferSameNode", "PreferSameZone");

  @Override
  public @Nullable String name(String name) {
    return Formats.dnsLabel(name);
  }

  @Override
  public List<List<String>> allocated() {
    return List.of(
        List.of("spec", "clusterIP"),
        List.of("spec", "clusterIPs"),
        List.of("spec", "ipFamilies"),
        List.of("spec", "ipFamilyPolicy"));
  }

  @Override
  public void complete(ObjectNode service, @Nullable ObjectNode stored) {
    if (stored == null) {
      service.putObject("status").putObject("loadBalancer");
    }
    ObjectNode spec = Json.objectAt(service, "spec");
    ObjectNode old = stored == null ? null : Json.objectAt(stored, "spec");
    if (spec == null || spec == old) {
      return;
    }
    ServiceDefaults.apply(spec);
    if (old != null) {
      if (ServiceTypeChange.endsLoadBalancer(old, spec)) {
        service.putObject("status").putObject("loadBalancer");
      }
      ServiceTypeChange.dropUnused(old, spec);
      ServiceDefaults.keep(old, spec);
    }
    String uid = Json.text(Json.objectAt(service, "metadata"), "uid");
    ServiceDefaults.allocate(spec, Objects.requireNonNullElse(uid, ""));
  }

  @Override
  public void completeStatus(ObjectNode service) {
    ServiceDefaults.addressModes(service);
  }

  @Override
  public void checkStatus(FieldPath root, FieldErrors faults) {
    LoadBalancerRules.ofService(root, faults);
  }

  @Override
  public void check(FieldPath root, FieldErrors faults) {
    FieldPath spec = root.get("spec");
    type(spec, faults);
    ports(spec, faults);
    ServiceAddressRules.check(spec, faults);
    selector(spec.get("selector"), faults);
    affinity(spec, faults);
    traffic(spec, faults);
    loadBalancer(spec, faults);
  }

  private static void type(FieldPath spec, FieldErrors faults) {
    boolean headless = isHeadless(spec);
    FieldPath name = spec.get("externalName");
    if (isType(spec, "ExternalName")) {
      String bare = name.text().replaceFirst("\\.$", "");
      if (bare.isEmpty()) {
        faults.required(name, "is required");
      } else {
        faults.invalidUnlessSound(name, Formats.dnsSubdomain(bare));
      }
    } else if (spec.get("ports").isEmpty() && !headless) {
      faults.required(spec.get("ports"), "is required");
    }
    if (headless && isExternal(spec)) {
      faults.invalid(
          spec.path() + ".clusterIPs[0]",
          "may not be set to 'None' for " + spec.get("type").text() + " services");
    }
  }

  private static void ports(FieldPath spec, FieldErrors faults) {
    Set<String> names = new HashSet<>();
    Set<String> numbers = new HashSet<>();
    Set<String> nodePorts = new HashSet<>();
    List<FieldPath> ports = spec.get("ports").items();
    for (FieldPath port : ports) {
      name(port.get("name"), ports.size() > 1, names, faults);
      Ports.number(port.get("port"), faults);
      Ports.numberOrName(port.get("targetPort"), faults);
      FieldPath protocol = port.get("appProtocol");
      if (protocol.exists()) {
        faults.invalidUnlessSound(protocol, Formats.qualifiedName(protocol.text()));
      }
      if (!numbers.add(port.get("protocol").text() + port.get("port").count())) {
        faults.duplicate(port, "another port has this number and protocol");
      }
      nodePort(spec, port, nodePorts, faults);
    }
  }

  private static void name(FieldPath name, boolean needed, Set<String> names, FieldErrors faults) {
    if (name.isEmpty()) {
      if (needed) {
        faults.required(name, "is required if there are several ports");
      }
      return;
    }
    faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    if (!names.add(name.text())) {
      faults.duplicate(name, "another port has this name");
    }
  }

  private static void nodePort(
      FieldPath spec, FieldPath port, Set<String> nodePorts, FieldErrors faults) {
    FieldPath nodePort = port.get("nodePort");
    if (isType(spec, "LoadBalancer") && port.get("port").count() == KUBELET) {
      faults.invalid(
          port.get("port"), "may not expose port 10250 externally since it is used by kubelet");
    }
    if (nodePort.count() == 0) {
      return;
    }
    if (!isExternal(spec)) {
      faults.forbidden(
          nodePort, "may not be used when `type` is '" + spec.get("type").text() + "'");
    } else if (!ServiceDefaults.isNodePort(nodePort.count())) {
      faults.invalid(
          nodePort,
          "provided port is not in the valid range. The range of valid ports is 30000-32767");
    } else if (!nodePorts.add(port.get("protocol").text() + nodePort.count())) {
      faults.duplicate(nodePort, "another port has this node port");
    }
  }

  private static void selector(FieldPath selector, FieldErrors faults) {
    for (FieldPath label : selector.entries()) {
      faults.invalidUnlessSound(selector, Formats.qualifiedName(label.key()));
      faults.invalidUnlessSound(selector, Formats.labelValue(label.text()));
    }
  }

  private static void affinity(FieldPath spec, FieldErrors faults) {
    FieldPath config = spec.get("sessionAffinityConfig");
    FieldPath seconds = config.get("clientIP", "timeoutSeconds");
    if (!spec.get("sessionAffinity").text().equals("ClientIP")) {
      if (config.exists()) {
        faults.forbidden(config, "must not be set when session affinity is None");
      }
    } else if (seconds.count() <= 0 || seconds.count() > DAY) {
      faults.invalid(seconds, "must be greater than 0 and less than 86400");
    }
  }

  private static void traffic(FieldPath spec, FieldErrors faults) {
    FieldPath policy = spec.get("externalTrafficPolicy");
    boolean external =
        isExternal(spec) || isType(spec, "ClusterIP") && !spec.get("externalIPs").isEmpty();
    if (!external && !policy.isEmpty()) {
      faults.invalid(policy, "may only be set for externally-accessible services");
    }
    FieldPath health = spec.get("healthCheckNodePort");
    faults.invalidIfNegative(health);
    if (health.count() > 0 && !isHealthChecked(spec)) {
      faults.invalid(
          health,
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    }
    faults.notSupportedUnlessIn(spec.get("trafficDistribution"), DISTRIBUTIONS);
  }

  private static void loadBalancer(FieldPath spec, FieldErrors faults) {
    for (FieldPath range : spec.get("loadBalancerSourceRanges").items()) {
      faults.invalidUnlessSound(range, Formats.cidr(range.text().strip()));
    }
    if (isType(spec, "LoadBalancer")) {
      FieldPath name = spec.get("loadBalancerClass");
      if (name.exists()) {
        faults.invalidUnlessSound(name, Formats.qualifiedName(name.text()));
      }
      return;
    }
    for (String member :
        List.of("loadBalancerClass", "loadBalancerSourceRanges", "allocateLoadBalancerNodePorts")) {
      if (spec.get(member).exists() && !spec.get(member).node().asString("-").isEmpty()) {
        faults.forbidden(spec.get(member), "may only be used when `type` is 'LoadBalancer'");
      }
    }
  }

  @Override
  public void checkChange(FieldPath before, FieldPath after, FieldErrors faults) {
    FieldPath old = before.get("spec");
    FieldPath spec = after.get("spec");
    boolean kept = !isType(old, "ExternalName") && !isType(spec, "ExternalName");
    if (kept && !old.get("clusterIP").sameAs(spec.get("clusterIP"))) {
      faults.invalid(spec.path() + ".clusterIPs[0]", "may not change once set");
    }
    boolean balanced = isType(old, "LoadBalancer") && isType(spec, "LoadBalancer");
    if (balanced && !old.get("loadBalancerClass").sameAs(spec.get("loadBalancerClass"))) {
      faults.invalid(spec.get("loadBalancerClass"), "may not change once set");
    }
    FieldPath health = spec.get("healthCheckNodePort");
    boolean checked = isHealthChecked(old) && isHealthChecked(spec);
    if (checked && !old.get("healthCheckNodePort").sameAs(health)) {
      faults.invalid(health, "field is immutable");
    }
  }

  static boolean isType(FieldPath spec, String type) {
    return spec.get("type").text().equals(type);
  }

  static boolean isHeadless(FieldPath spec) {
    return spec.get("clusterIP").text().equals(ServiceDefaults.NONE);
  }

  private static boolean isHealthChecked(FieldPath spec) {
    return isType(spec, "LoadBalancer") && spec.get("externalTrafficPolicy").text().equals("Local");
  }

  private static boolean isExternal(FieldPath spec) {
    return isType(spec, "NodePort") || isType(spec, "LoadBalancer");
  }
}
