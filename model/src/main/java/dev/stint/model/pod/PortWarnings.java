package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Warnings about conflicting ports of a pod. */
final class PortWarnings {
  /** The maximum number of warnings; far fewer fit into an answer. */
  private static final int MOST_TEXTS = 4096;

  private final List<String> warnings = new ArrayList<>();
  private final Map<Socket, List<SeenPort>> seen = new HashMap<>();
  private final Map<String, FieldPath> byName = new HashMap<>();

  private int count;

  private PortWarnings() {}

  /**
   * A port number with its host port and address, for the detection of conflicts.
   *
   * @param hostPort null for any
   * @param address null for any
   */
  private record Socket(String number, @Nullable Long hostPort, @Nullable String address) {}

  private record SeenPort(int index, FieldPath port) {}

  static List<String> of(FieldPath spec) {
    PortWarnings found = new PortWarnings();
    PodTemplateWarnings.containers(spec).stream()
        .flatMap(container -> container.get("ports").items().stream())
        .forEach(found::number);
    List<FieldPath> lasting = new ArrayList<>(spec.get("initContainers").items());
    lasting.removeIf(container -> !container.get("restartPolicy").text().equals("Always"));
    lasting.addAll(spec.get("containers").items());
    lasting.forEach(container -> container.get("ports").items().forEach(found::name));
    return found.warnings;
  }

  private void number(FieldPath port) {
    if (isFull()) {
      return;
    }
    if (!address(port).isEmpty() && hostPort(port) == 0) {
      warnings.add(port + ": hostIP set without hostPort: " + inGo(port));
    }
    String number = port.get("containerPort").count() + "/" + port.get("protocol").text();
    for (SeenPort other : clashing(number, port)) {
      if (isFull()) {
        return;
      }
      String clash = clash(port, other.port());
      warnings.add("%s: %s port definition with %s".formatted(port, clash, other.port()));
    }
    SeenPort one = new SeenPort(count++, port);
    for (Socket socket :
        List.of(
            new Socket(number, null, null),
            new Socket(number, hostPort(port), null),
            new Socket(number, hostPort(port), address(port)))) {
      seen.computeIfAbsent(socket, _ -> new ArrayList<>()).add(one);
    }
  }

  /** Returns only those earlier ports with which one conflicts: there may be very many others. */
  private List<SeenPort> clashing(String number, FieldPath port) {
    if (hostPort(port) == 0) {
      return seen(new Socket(number, null, null));
    }
    List<SeenPort> all = new ArrayList<>(seen(new Socket(number, 0L, null)));
    if (address(port).isEmpty()) {
      all.addAll(seen(new Socket(number, hostPort(port), null)));
    } else {
      all.addAll(seen(new Socket(number, hostPort(port), "")));
      all.addAll(seen(new Socket(number, hostPort(port), address(port))));
    }
    all.sort(Comparator.comparingInt(SeenPort::index));
    return all;
  }

  private List<SeenPort> seen(Socket socket) {
    return seen.getOrDefault(socket, List.of());
  }

  private boolean isFull() {
    return warnings.size() >= MOST_TEXTS;
  }

  private static String clash(FieldPath port, FieldPath other) {
    boolean sameHostPort = hostPort(port) == hostPort(other);
    if (sameHostPort && address(port).equals(address(other))) {
      return "duplicate";
    }
    return hostPort(port) == 0 || hostPort(other) == 0 ? "overlapping" : "dangerously ambiguous";
  }

  private void name(FieldPath port) {
    String name = port.get("name").text();
    FieldPath other = name.isEmpty() ? null : byName.putIfAbsent(name, port);
    if (other != null && !isFull()) {
      warnings.add(
          ("%s: duplicate port name %s with %s, services and probes that select ports by name"
                  + " will use %s")
              .formatted(port, MessagePhrases.goQuoted(name), other, other));
    }
  }

  private static String inGo(FieldPath port) {
    return "{Name:%s HostPort:%d ContainerPort:%d Protocol:%s HostIP:%s}"
        .formatted(
            port.get("name").text(),
            hostPort(port),
            port.get("containerPort").count(),
            port.get("protocol").text(),
            address(port));
  }

  private static String address(FieldPath port) {
    return port.get("hostIP").text();
  }

  private static long hostPort(FieldPath port) {
    return port.get("hostPort").count();
  }
}
