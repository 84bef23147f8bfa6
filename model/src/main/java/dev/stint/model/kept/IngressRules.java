package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of ingresses. */
public final class IngressRules implements KeptRules {
  private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
  private static final List<String> NEVER_WITHIN = List.of("//", "/./", "/../", "%2f", "%2F");
  private static final List<String> NEVER_AT_END = List.of("/..", "/.");

  @Override
  public void check(FieldPath root, FieldErrors faults) {
    FieldPath spec = root.get("spec");
    FieldPath fallback = spec.get("defaultBackend");
    if (spec.get("rules").isEmpty() && !fallback.exists()) {
      faults.invalid(spec, "either `defaultBackend` or `rules` must be specified");
    }
    if (fallback.exists()) {
      backend(fallback, faults);
    }
    spec.get("rules").items().forEach(rule -> rule(rule, faults));
    for (FieldPath tls : spec.get("tls").items()) {
      tls.get("hosts").items().forEach(host -> host(host, faults));
      subdomain(tls.get("secretName"), faults);
    }
    className(root, faults);
  }

  @Override
  public void checkStatus(FieldPath root, FieldErrors faults) {
    root.get("status", "loadBalancer", "ingress")
        .items()
        .forEach(ingress -> LoadBalancerRules.ingress(ingress, faults));
  }

  private static void className(FieldPath root, FieldErrors faults) {
    FieldPath name = root.get("spec", "ingressClassName");
    FieldPath annotation = root.get("metadata", "annotations").entry(CLASS_ANNOTATION);
    if (name.exists()) {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
    }
    if (name.exists() && annotation.exists() && !name.sameAs(annotation)) {
      faults.invalid(
          "annotations." + CLASS_ANNOTATION,
          "must match `ingressClassName` when both are specified");
    }
  }

  private static void rule(FieldPath rule, FieldErrors faults) {
    if (!rule.get("host").isEmpty()) {
      host(rule.get("host"), faults);
      if (Formats.ipAddress(rule.get("host").text()) == null) {
        faults.invalid(rule.get("host"), "must be a DNS name, not an IP address");
      }
    }
    FieldPath http = rule.get("http");
    http.get("paths").items().forEach(path -> path(path, faults));
  }

  private static void path(FieldPath place, FieldErrors faults) {
    FieldPath path = place.get("path");
    FieldPath type = place.get("pathType");
    if (type.isEmpty()) {
      faults.required(type, "pathType must be specified");
      return;
    }
    if (type.text().equals("ImplementationSpecific")) {
      if (!path.isEmpty() && !path.text().startsWith("/")) {
        faults.invalid(path, "must be an absolute path");
      }
    } else {
      exact(path, faults);
    }
    backend(place.get("backend"), faults);
  }

  private static void exact(FieldPath path, FieldErrors faults) {
    if (!path.text().startsWith("/")) {
      faults.invalid(path, "must be an absolute path");
    }
    for (String part : NEVER_WITHIN) {
      if (path.text().contains(part)) {
        faults.invalid(path, "must not contain '" + part + "'");
      }
    }
    for (String end : NEVER_AT_END) {
      if (path.text().endsWith(end)) {
        faults.invalid(path, "cannot end with '" + end + "'");
      }
    }
  }

  private static void backend(FieldPath backend, FieldErrors faults) {
    FieldPath resource = backend.get("resource");
    FieldPath service = backend.get("service");
    if (resource.exists() && service.exists()) {
      faults.invalid(backend, "cannot set both resource and service backends");
    } else if (service.exists()) {
      service(backend, service, faults);
    } else if (!resource.exists()) {
      faults.required(backend, "resource or service backend is required");
    } else {
      resource(resource, faults);
    }
  }

  private static void resource(FieldPath resource, FieldErrors faults) {
    FieldPath group = resource.get("apiGroup");
    if (group.exists()) {
      faults.invalidUnlessSound(group, Formats.dnsSubdomain(group.text()));
    }
    for (String member : List.of("kind", "name")) {
      FieldPath name = resource.get(member);
      if (name.isEmpty()) {
        faults.required(name, "is required");
      } else {
        faults.invalidUnlessSound(name, Formats.pathSegment(name.text()));
      }
    }
  }

  private static void service(FieldPath backend, FieldPath service, FieldErrors faults) {
    FieldPath name = service.get("name");
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    FieldPath port = service.get("port", "name");
    FieldPath number = service.get("port", "number");
    if (!port.isEmpty() && number.count() != 0) {
      faults.invalid(backend, "cannot set both port name & port number");
    } else if (!port.isEmpty()) {
      faults.invalidUnlessSound(port, Formats.portName(port.text()));
    } else if (number.count() != 0) {
      Ports.number(number, faults);
    } else {
      faults.required(backend, "port name or number is required");
    }
  }

  private static void host(FieldPath host, FieldErrors faults) {
    String name = host.text();
    faults.invalidUnlessSound(
        host, Formats.dnsSubdomain(name.startsWith("*.") ? name.substring(2) : name));
  }

  private static void subdomain(FieldPath name, FieldErrors faults) {
    @Nullable String complaint = name.isEmpty() ? null : Formats.dnsSubdomain(name.text());
    faults.invalidUnlessSound(name, complaint);
  }
}
