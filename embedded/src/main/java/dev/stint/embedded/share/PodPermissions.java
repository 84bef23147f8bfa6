package dev.stint.embedded.share;

import dev.stint.model.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The permissions with which pods of a data directory run, as flags of its holder give them. A pod
 * that got others than those of its command would read and write the wrong files, so the next
 * holder keeps them.
 *
 * @param claims the directories of persistent volume claims, by {@code NAME} or {@code
 *     NAMESPACE/NAME}
 * @param hostPaths the directories that pods may mount, with all that is in them
 * @param requireLimits true to refuse limits that are not enforced
 * @param containerSocket the socket of the daemon that has their containers; null if they have none
 */
public record PodPermissions(
    Map<String, Path> claims,
    List<Path> hostPaths,
    boolean requireLimits,
    @Nullable Path containerSocket) {
  /** The permissions without any flag. */
  public static final PodPermissions NONE = new PodPermissions(Map.of(), List.of(), false);

  public PodPermissions {
    claims = Map.copyOf(claims);
    hostPaths = List.copyOf(hostPaths);
  }

  /** The permissions of pods without containers. */
  public PodPermissions(Map<String, Path> claims, List<Path> hostPaths, boolean requireLimits) {
    this(claims, hostPaths, requireLimits, null);
  }

  /**
   * Returns the words of the flags that a command would need, besides its own, so that pods get at
   * least what these permissions give.
   *
   * @param other the permissions of that command
   */
  public List<String> missingIn(PodPermissions other) {
    List<String> flags = new ArrayList<>();
    sorted(claims)
        .forEach((name, dir) -> {
          if (!other.gives(name, dir, this)) {
            flags.addAll(volumeDir(name, dir));
          }
        });
    for (Path path : hostPaths) {
      if (other.hostPaths.stream().noneMatch(each -> covers(each, path))) {
        flags.addAll(List.of("--host-path", path.toString()));
      }
    }
    if (requireLimits && !other.requireLimits) {
      flags.add("--require-limits");
    }
    if (isOfAnotherDaemon(other)) {
      flags.addAll(List.of("--container-socket", String.valueOf(containerSocket)));
    }
    return flags;
  }

  private boolean isOfAnotherDaemon(PodPermissions other) {
    return containerSocket != null
        && other.containerSocket != null
        && !containerSocket.equals(other.containerSocket);
  }

  /** Returns the words of the flags that give claims other directories than some permissions do. */
  public List<String> claimsUnlike(PodPermissions other) {
    return sorted(claims).entrySet().stream()
        .filter(claim -> !claim.getValue().equals(other.dir(claim.getKey())))
        .flatMap(claim -> volumeDir(claim.getKey(), claim.getValue()).stream())
        .toList();
  }

  /** Returns these permissions and those of an earlier holder together. */
  public PodPermissions and(PodPermissions earlier) {
    TreeMap<String, Path> allClaims = new TreeMap<>(earlier.claims);
    allClaims.putAll(claims);
    Set<Path> allPaths = new LinkedHashSet<>(hostPaths);
    allPaths.addAll(earlier.hostPaths);
    return new PodPermissions(
        allClaims,
        List.copyOf(allPaths),
        requireLimits || earlier.requireLimits,
        containerSocket == null ? earlier.containerSocket : containerSocket);
  }

  /** True if a claim has a directory in every namespace in which it has it by other permissions. */
  private boolean gives(String name, Path dir, PodPermissions asked) {
    return dir.equals(dir(name))
        && claims.entrySet().stream()
            .filter(each -> each.getKey().endsWith("/" + name))
            .allMatch(each -> each.getValue().equals(asked.dir(each.getKey())));
  }

  /** Returns the directory of a claim; null for that in the data directory. */
  private @Nullable Path dir(String name) {
    Path own = claims.get(name);
    return own == null ? claims.get(name.substring(name.indexOf('/') + 1)) : own;
  }

  private static boolean covers(Path allowed, Path path) {
    return path.normalize().startsWith(allowed.normalize());
  }

  private static List<String> volumeDir(String name, Path dir) {
    return List.of("--volume-dir", name + "=" + dir);
  }

  private static Map<String, Path> sorted(Map<String, Path> claims) {
    return new TreeMap<>(claims);
  }

  ObjectNode toJson() {
    ObjectNode tree = Json.object().put("requireLimits", requireLimits);
    ObjectNode dirs = tree.putObject("claims");
    sorted(claims).forEach((name, dir) -> dirs.put(name, dir.toString()));
    ArrayNode paths = tree.putArray("hostPaths");
    hostPaths.forEach(path -> paths.add(path.toString()));
    if (containerSocket != null) {
      tree.put("containerSocket", containerSocket.toString());
    }
    return tree;
  }

  /** Reads permissions; none from a holder that does not tell them. */
  static PodPermissions of(@Nullable ObjectNode tree) {
    if (tree == null) {
      return NONE;
    }
    TreeMap<String, Path> claims = new TreeMap<>();
    Wire.object(tree, "claims")
        .properties()
        .forEach(each -> claims.put(each.getKey(), path(each.getValue())));
    List<Path> paths = new ArrayList<>();
    tree.path("hostPaths").forEach(each -> paths.add(path(each)));
    String socket = Json.text(tree, "containerSocket");
    return new PodPermissions(
        claims,
        paths,
        tree.path("requireLimits").asBoolean(),
        socket == null ? null : Path.of(socket));
  }

  private static Path path(JsonNode text) {
    return Path.of(text.stringValue(""));
  }
}
