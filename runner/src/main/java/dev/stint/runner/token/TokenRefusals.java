package dev.stint.runner.token;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.pod.TokenVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the tokens that pods ask for in vain: no API server issues them, or containers don't reach
 * it.
 *
 * @param api the API server; null if there is none
 * @param reachesLoopback true for pods that reach what listens on this machine's loopback addresses
 */
public record TokenRefusals(@Nullable PodApi api, Predicate<KubeObject> reachesLoopback) {
  /** Each token is signed, and signed again before it ends. */
  private static final int MOST = 20;

  private static final String NO_SERVER =
      "nothing here issues tokens, since no API is served on a port; use stint up";

  /** Returns the tokens of a pod that it cannot get or use. */
  public List<FieldError> of(KubeObject pod) {
    if (api == null) {
      return withoutServer(pod, "");
    }
    int count = TokenSource.of(pod.spec()).size();
    if (count > MOST) {
      String why =
          "a pod may have %d tokens, and this one has %d; remove some".formatted(MOST, count);
      return List.of(new FieldError("spec.volumes", FieldError.Type.NOT_SUPPORTED, why));
    }
    if (reachesLoopback.test(pod) || !api.isOnLoopback()) {
      return List.of();
    }
    Set<String> volumes =
        TokenSource.of(pod.spec()).stream().map(TokenSource::volume).collect(Collectors.toSet());
    List<FieldError> found = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(pod.spec(), list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        unusable(containers.get(i), volumes, "spec." + list + "[" + i + "]", found);
      }
    }
    return found;
  }

  private void unusable(
      JsonNode container, Set<String> volumes, String path, List<FieldError> found) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    for (int i = 0; mounts != null && i < mounts.size(); i++) {
      if (TokenVolume.PATH.equals(Json.text(mounts.get(i), "mountPath"))
          && volumes.contains(String.valueOf(Json.text(mounts.get(i), "name")))) {
        found.add(
            new FieldError(
                path + ".volumeMounts[" + i + "]",
                FieldError.Type.NOT_SUPPORTED,
                "a token is of no use, since containers don't reach the API at "
                    + (api == null ? "" : api.host())
                    + "; start stint up with --listen and an address that they reach, set"
                    + " hostNetwork, or set automountServiceAccountToken to false"));
      }
    }
  }

  /** True for a loopback address of this machine. */
  public static boolean isLoopback(String host) {
    return host.startsWith("127.") || host.equals("::1") || host.equals("0:0:0:0:0:0:0:1");
  }

  /**
   * Returns the tokens of a pod, or of a pod template, where no API server issues any.
   *
   * @param pathPrefix its path, such as {@code spec.template}; empty for a pod
   */
  public static List<FieldError> withoutServer(KubeObject podOrTemplate, String pathPrefix) {
    String path = pathPrefix.isEmpty() ? "spec" : pathPrefix + ".spec";
    List<FieldError> found = new ArrayList<>();
    ArrayNode volumes = Json.arrayAt(podOrTemplate.spec(), "volumes");
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      ArrayNode sources = Json.arrayAt(Json.objectAt(volumes.get(i), "projected"), "sources");
      for (int j = 0; sources != null && j < sources.size(); j++) {
        if (sources.get(j) instanceof ObjectNode source
            && source.hasNonNull("serviceAccountToken")) {
          String at =
              "%s.volumes[%d].projected.sources[%d].serviceAccountToken".formatted(path, i, j);
          found.add(new FieldError(at, FieldError.Type.NOT_SUPPORTED, NO_SERVER));
        }
      }
    }
    return found;
  }
}
