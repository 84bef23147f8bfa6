package dev.stint.runner.network;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.HostName;
import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code /etc/hosts} of a pod that has host names of its own. It is changed in place, since
 * containers have mounted the file and not its directory. They may write to it, too, so it is never
 * read: a copy of it has what was last written here, and the next change begins with that.
 */
public final class HostsFile {
  public static final Path PATH = Path.of("/etc/hosts");
  private static final String LOCALHOST = "127.0.0.1";

  /** The first lines for a pod that has a network of its own. */
  private static final List<String> OWN_NETWORK =
      List.of(
          "127.0.0.1\tlocalhost",
          "::1\tlocalhost ip6-localhost ip6-loopback",
          "fe00::\tip6-localnet",
          "ff02::1\tip6-allnodes",
          "ff02::2\tip6-allrouters");

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
  public static boolean isNeeded(KubeObject pod, ObjectNode container) {
    return neededFor(pod.spec()).isPresent() && !isMounted(container);
  }

  /** True if a container mounts a file of a volume there. */
  public static boolean isMounted(ObjectNode container) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    return mounts != null
        && mounts
            .valueStream()
            .map(mount -> Json.text(mount, "mountPath"))
            .anyMatch(path -> path != null && Path.of(path).normalize().equals(PATH));
  }

  /**
   * Writes a new file for a pod that shares the machine's network: the machine's lines, followed by
   * the pod's.
   */
  public static Path writeShared(Path file, KubeObject pod, PodNames names) throws IOException {
    List<String> machine = Files.exists(PATH) ? Files.readAllLines(PATH) : List.of();
    return write(file, lines(pod, "host network", machine, names));
  }

  /** Writes a new file for a pod that has a network of its own. */
  public static Path write(Path file, KubeObject pod, PodNames names) throws IOException {
    return write(file, lines(pod, "own network", OWN_NETWORK, names));
  }

  private static Path write(Path file, List<String> lines) throws IOException {
    replace(copy(file), lines);
    return replace(file, lines);
  }

  /** Leaves no half of a file if this program ends meanwhile. */
  private static Path replace(Path file, List<String> lines) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.write(fresh, lines);
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
    return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path copy(Path file) {
    return file.resolveSibling(file.getFileName() + ".copy");
  }

  /** Returns the lines of the file, as a kubelet writes them. */
  static List<String> lines(KubeObject pod, String network, List<String> first, PodNames names) {
    List<String> lines = new ArrayList<>();
    lines.add("# Kubernetes-managed hosts file (" + network + ").");
    lines.addAll(first);
    if (PodNames.hasName(pod)) {
      String address = names.address(pod.uid()).orElse(LOCALHOST);
      lines.add(String.join("\t", address, HostName.full(pod), HostName.plain(pod)));
    }
    ArrayNode aliases = Json.arrayAt(pod.spec(), "hostAliases");
    if (aliases != null && !aliases.isEmpty()) {
      lines.add("");
      lines.add("# Entries added by HostAliases.");
      aliases.forEach(alias -> lines.add(line(alias)));
    }
    names.hosts(pod.uid()).forEach(host -> lines.add(host.line()));
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

  /**
   * Adds the hosts that an existing file lacks. Lines of pods that have ended stay: their
   * replacements have the same names. If one has another address, the file is written again without
   * the old line. Does nothing if there is no file.
   */
  public static void update(Path file, List<PodNames.Host> hosts) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(copy(file));
    } catch (NoSuchFileException none) {
      return;
    }
    List<String> all = with(lines, hosts);
    if (all.equals(lines)) {
      return;
    }
    try (FileChannel out = Handle.channel(file, StandardOpenOption.WRITE)) {
      byte[] text = (String.join("\n", all) + "\n").getBytes(StandardCharsets.UTF_8);
      out.write(ByteBuffer.wrap(text));
      out.truncate(text.length);
    }
    replace(copy(file), all);
  }

  /** Returns the lines with those of the hosts, instead of lines with the same names. */
  private static List<String> with(List<String> lines, List<PodNames.Host> hosts) {
    Set<String> known = new HashSet<>(lines);
    Map<String, String> missing = new LinkedHashMap<>();
    for (PodNames.Host host : hosts) {
      if (!known.contains(host.line())) {
        missing.put(names(host.line()), host.line());
      }
    }
    List<String> all = new ArrayList<>(lines);
    all.removeIf(line -> missing.containsKey(names(line)));
    all.addAll(missing.values());
    return all;
  }

  /** Returns what follows the address in a line that is written here. */
  private static String names(String line) {
    return line.substring(line.indexOf('\t') + 1);
  }
}
