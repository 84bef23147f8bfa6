package dev.stint.runner.process.isolation;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.HostName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code /etc/hosts} of a container whose pod has host names of its own: the machine's lines,
 * followed by the pod's.
 */
public final class HostsFile {
  static final Path PATH = Path.of("/etc/hosts");
  private static final String LOCALHOST = "127.0.0.1";

  private HostsFile() {}

  /** Returns the field of a pod's spec that needs such a file; empty if none does. */
  public static Optional<String> neededFor(@Nullable ObjectNode spec) {
    ArrayNode aliases = Json.arrayAt(spec, "hostAliases");
    if (aliases != null && !aliases.isEmpty()) {
      return Optional.of("hostAliases");
    }
    String subdomain = Json.text(spec, "subdomain");
    return subdomain == null || subdomain.isEmpty() ? Optional.empty() : Optional.of("subdomain");
  }

  /**
   * True if the container gets such a file. A container that mounts its own file there keeps that.
   */
  static boolean isNeeded(KubeObject pod, ObjectNode container) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    boolean mounted =
        mounts != null
            && mounts
                .valueStream()
                .map(mount -> Json.text(mount, "mountPath"))
                .anyMatch(path -> path != null && Path.of(path).normalize().equals(PATH));
    return !mounted && neededFor(pod.spec()).isPresent();
  }

  /** Returns the lines of the file, as a kubelet writes them. */
  static List<String> lines(KubeObject pod, List<String> machine) {
    List<String> lines = new ArrayList<>();
    lines.add("# Kubernetes-managed hosts file (host network).");
    lines.addAll(machine);
    if (HostName.domain(pod).isPresent()) {
      lines.add(String.join("\t", LOCALHOST, HostName.full(pod), HostName.plain(pod)));
    }
    ArrayNode aliases = Json.arrayAt(pod.spec(), "hostAliases");
    if (aliases != null && !aliases.isEmpty()) {
      lines.add("");
      lines.add("# Entries added by HostAliases.");
      aliases.forEach(alias -> lines.add(line(alias)));
    }
    return lines;
  }

  private static String line(JsonNode alias) {
    List<String> words = new ArrayList<>(List.of(String.valueOf(Json.text(alias, "ip"))));
    ArrayNode names = Json.arrayAt(alias, "hostnames");
    if (names != null) {
      names.forEach(name -> words.add(name.asString("")));
    }
    return String.join("\t", words);
  }
}
