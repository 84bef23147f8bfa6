package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Warnings about ports of a pod that stand in each other's way. */
final class PortWarnings {
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, List<At>> byNumber = new HashMap<>();
  private final Map<String, At> byName = new HashMap<>();

  private PortWarnings() {}

  static List<String> of(At spec) {
    PortWarnings found = new PortWarnings();
    PodTemplateWarnings.containers(spec).stream()
        .flatMap(container -> container.get("ports").items().stream())
        .forEach(found::number);
    List<At> lasting = new ArrayList<>(spec.get("initContainers").items());
    lasting.removeIf(container -> !container.get("restartPolicy").text().equals("Always"));
    lasting.addAll(spec.get("containers").items());
    lasting.forEach(container -> container.get("ports").items().forEach(found::name));
    return found.warnings;
  }

  private void number(At port) {
    if (!address(port).isEmpty() && hostPort(port) == 0) {
      warnings.add(port + ": hostIP set without hostPort: " + inGo(port));
    }
    String number = port.get("containerPort").count() + "/" + port.get("protocol").text();
    List<At> others = byNumber.computeIfAbsent(number, _ -> new ArrayList<>());
    for (At other : others) {
      String clash = clash(port, other);
      if (clash != null) {
        warnings.add("%s: %s port definition with %s".formatted(port, clash, other));
      }
    }
    others.add(port);
  }

  private static @Nullable String clash(At port, At other) {
    boolean sameHostPort = hostPort(port) == hostPort(other);
    if (sameHostPort && address(port).equals(address(other))) {
      return "duplicate";
    }
    if (hostPort(port) == 0 || hostPort(other) == 0) {
      return "overlapping";
    }
    boolean oneIsAny = address(port).isEmpty() != address(other).isEmpty();
    return sameHostPort && oneIsAny ? "dangerously ambiguous" : null;
  }

  private void name(At port) {
    String name = port.get("name").text();
    At other = name.isEmpty() ? null : byName.putIfAbsent(name, port);
    if (other != null) {
      warnings.add(
          ("%s: duplicate port name %s with %s, services and probes that select ports by name"
                  + " will use %s")
              .formatted(port, Words.goQuoted(name), other, other));
    }
  }

  private static String inGo(At port) {
    return "{Name:%s HostPort:%d ContainerPort:%d Protocol:%s HostIP:%s}"
        .formatted(
            port.get("name").text(),
            hostPort(port),
            port.get("containerPort").count(),
            port.get("protocol").text(),
            address(port));
  }

  private static String address(At port) {
    return port.get("hostIP").text();
  }

  private static long hostPort(At port) {
    return port.get("hostPort").count();
  }
}
