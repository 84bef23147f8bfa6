package dev.stint.model.pod;

import dev.stint.model.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The volume by which containers get a token of their service account at its usual path, as the
 * admission of a cluster adds it. Source: "Bound service account token volume mechanism" of the
 * Kubernetes documentation.
 */
public final class TokenVolume {
  /** The path at which clients in pods look for the token. */
  public static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

  /** The field of a pod or of a service account that asks for the token, or refuses it. */
  public static final String AUTOMOUNT = "automountServiceAccountToken";

  /** The config map with the certificate of the API server's authority. */
  public static final String AUTHORITY = "kube-root-ca.crt";

  /** The key of the certificate, and the name of its file. */
  public static final String CERTIFICATE = "ca.crt";

  /** The account of pods that name none. */
  public static final String DEFAULT_ACCOUNT = "default";

  private static final String NAME = "kube-api-access";

  /** An hour and a little: old clients that read the token once an hour find a valid one. */
  private static final long SECONDS = 3607;

  private static final int MODE = 0644;

  private TokenVolume() {}

  /** Returns the name of the service account of a pod. */
  public static String account(@Nullable ObjectNode spec) {
    String name = Json.text(spec, "serviceAccountName");
    String old = Json.text(spec, "serviceAccount");
    return name != null && !name.isEmpty()
        ? name
        : old != null && !old.isEmpty() ? old : DEFAULT_ACCOUNT;
  }

  /**
   * Adds the volume to a pod's spec, and its mount to each container that mounts nothing else
   * there. Adds nothing if there is no such container.
   */
  public static void add(ObjectNode spec) {
    String name = name(spec);
    boolean mounted = false;
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(spec, list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        if (containers.get(i) instanceof ObjectNode container && !isMounted(container)) {
          container
              .withArrayProperty("volumeMounts")
              .addObject()
              .put("name", name)
              .put("readOnly", true)
              .put("mountPath", PATH);
          mounted = true;
        }
      }
    }
    if (mounted) {
      volume(spec.withArrayProperty("volumes").addObject().put("name", name));
    }
  }

  /** True if a container mounts a volume at the usual path. */
  public static boolean isMounted(JsonNode container) {
    ArrayNode mounts = Json.arrayAt(container, "volumeMounts");
    return mounts != null
        && mounts.valueStream().anyMatch(mount -> PATH.equals(Json.text(mount, "mountPath")));
  }

  /** Returns a name that no volume of the pod has; the same for all pods of one template. */
  private static String name(ObjectNode spec) {
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    String name = NAME;
    for (int i = 1; volumes != null && isTaken(volumes, name); i++) {
      name = NAME + "-" + i;
    }
    return name;
  }

  private static boolean isTaken(ArrayNode volumes, String name) {
    return volumes.valueStream().anyMatch(volume -> name.equals(Json.text(volume, "name")));
  }

  private static void volume(ObjectNode volume) {
    ObjectNode projected = volume.putObject("projected").put("defaultMode", MODE);
    ArrayNode sources = projected.putArray("sources");
    sources
        .addObject()
        .putObject("serviceAccountToken")
        .put("expirationSeconds", SECONDS)
        .put("path", "token");
    ObjectNode authority = sources.addObject().putObject("configMap").put("name", AUTHORITY);
    authority.putArray("items").addObject().put("key", CERTIFICATE).put("path", CERTIFICATE);
    sources
        .addObject()
        .putObject("downwardAPI")
        .putArray("items")
        .addObject()
        .put("path", "namespace")
        .putObject("fieldRef")
        .put("apiVersion", "v1")
        .put("fieldPath", "metadata.namespace");
  }
}
