package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of services, and of what leads to them or says where they are. */
final class ServiceColumns {
  private static final int MOST_ENDPOINTS = 3;

  static final List<Column> SERVICES =
      List.of(
          Column.named(),
          Column.text("Type", "How the service is reached.", o -> o.get("spec", "type").text()),
          Column.text(
              "Cluster-IP",
              "The address of the service; None if it is headless.",
              o -> Column.orNone(o.get("spec", "clusterIP").text())),
          Column.text("External-IP", "The addresses from outside.", ServiceColumns::external),
          Column.text("Port(s)", "The ports, with those of nodes.", ServiceColumns::ports),
          Column.age(),
          Column.text("Selector", "The selector of the pods.", ServiceColumns::selector)
              .onlyWide());

  static final List<Column> ENDPOINTS =
      List.of(
          Column.named(),
          Column.text("Endpoints", "The first addresses.", ServiceColumns::endpoints),
          Column.age());

  static final List<Column> ENDPOINT_SLICES =
      List.of(
          Column.named(),
          Column.text("AddressType", "The type of address.", o -> o.get("addressType").text()),
          Column.text(
              "Ports",
              "The ports.",
              o -> joined(o.get("ports").items().stream(), "port", "<unset>")),
          Column.text(
              "Endpoints",
              "The first addresses.",
              o ->
                  few(
                      o.get("endpoints").items().stream()
                          .flatMap(each -> each.get("addresses").items().stream())
                          .map(FieldPath::text)
                          .toList(),
                      "<unset>")),
          Column.age());

  static final List<Column> INGRESSES =
      List.of(
          Column.named(),
          Column.text(
              "Class",
              "The class of controllers that serve it.",
              o -> Column.orNone(ingressClass(o))),
          Column.text("Hosts", "The hosts of its rules.", ServiceColumns::hosts),
          Column.text(
              "Address", "The addresses of the load balancer.", o -> balanced(o.get("status"))),
          Column.text(
              "Ports",
              "The ports, which follow from its TLS.",
              o -> o.get("spec", "tls").isEmpty() ? "80" : "80, 443"),
          Column.age());

  static final List<Column> INGRESS_CLASSES =
      List.of(
          Column.named(),
          Column.text(
              "Controller",
              "The controller of the class.",
              o -> o.get("spec", "controller").text()),
          Column.text("Parameters", "The object with more parameters.", ServiceColumns::parameters),
          Column.age());

  static final List<Column> NETWORK_POLICIES =
      List.of(
          Column.named(),
          Column.text(
              "Pod-Selector",
              "The selector of the pods.",
              o -> PodTemplates.selector(o.get("spec", "podSelector"))),
          Column.age());

  private ServiceColumns() {}

  private static String external(FieldPath service) {
    String own = texts(service.get("spec", "externalIPs"));
    return switch (service.get("spec", "type").text()) {
      case "ExternalName" -> service.get("spec", "externalName").text();
      case "LoadBalancer" -> {
        String all =
            Stream.of(balanced(service.get("status")), own)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(","));
        yield all.isEmpty() ? "<pending>" : all;
      }
      default -> Column.orNone(own);
    };
  }

  private static String balanced(FieldPath status) {
    return status.get("loadBalancer", "ingress").items().stream()
        .map(each -> each.get(each.get("ip").isEmpty() ? "hostname" : "ip").text())
        .collect(Collectors.joining(","));
  }

  private static String ports(FieldPath service) {
    return Column.orNone(
        service.get("spec", "ports").items().stream()
            .map(ServiceColumns::port)
            .collect(Collectors.joining(",")));
  }

  private static String port(FieldPath port) {
    long node = port.get("nodePort").count();
    return port.get("port").count()
        + (node > 0 ? ":" + node : "")
        + "/"
        + port.get("protocol").text();
  }

  private static String selector(FieldPath service) {
    return Column.orNone(
        service.get("spec", "selector").entries().stream()
            .map(label -> label.key() + "=" + label.text())
            .sorted()
            .collect(Collectors.joining(",")));
  }

  private static String endpoints(FieldPath endpoints) {
    return few(
        endpoints.get("subsets").items().stream().flatMap(ServiceColumns::endpointsOf).toList(),
        Column.NONE);
  }

  private static Stream<String> endpointsOf(FieldPath subset) {
    List<FieldPath> ports = subset.get("ports").items();
    return subset.get("addresses").items().stream()
        .map(address -> address.get("ip").text())
        .flatMap(ip ->
            ports.isEmpty()
                ? Stream.of(ip)
                : ports.stream().map(port -> ip + ":" + port.get("port").count()));
  }

  private static String few(List<String> all, String none) {
    String first = all.stream().limit(MOST_ENDPOINTS).collect(Collectors.joining(","));
    int more = all.size() - MOST_ENDPOINTS;
    return all.isEmpty() ? none : more > 0 ? first + " + " + more + " more..." : first;
  }

  private static String ingressClass(FieldPath ingress) {
    String name = ingress.get("spec", "ingressClassName").text();
    return name.isEmpty()
        ? ingress.get("metadata", "annotations").entry("kubernetes.io/ingress.class").text()
        : name;
  }

  private static String hosts(FieldPath ingress) {
    List<String> hosts =
        ingress.get("spec", "rules").items().stream()
            .map(rule -> rule.get("host").text())
            .filter(host -> !host.isEmpty())
            .toList();
    return hosts.isEmpty() ? "*" : few(hosts, "*");
  }

  private static String parameters(FieldPath ingressClass) {
    FieldPath parameters = ingressClass.get("spec", "parameters");
    String group = parameters.get("apiGroup").text();
    return parameters.exists()
        ? parameters.get("kind").text()
            + (group.isEmpty() ? "" : "." + group)
            + "/"
            + parameters.get("name").text()
        : Column.NONE;
  }

  private static String joined(Stream<FieldPath> items, String member, String none) {
    String all =
        items
            .map(each -> String.valueOf(each.get(member).count()))
            .collect(Collectors.joining(","));
    return all.isEmpty() ? none : all;
  }

  private static String texts(FieldPath list) {
    return list.items().stream().map(FieldPath::text).collect(Collectors.joining(","));
  }
}
