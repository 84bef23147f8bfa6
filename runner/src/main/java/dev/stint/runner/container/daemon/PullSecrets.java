package dev.stint.runner.container.daemon;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodInputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the credentials for pulling an image, in the pod's {@code imagePullSecrets} ("Pull an Image
 * from a Private Registry" of the Kubernetes documentation).
 */
public final class PullSecrets {
  private static final Logger LOG = LoggerFactory.getLogger(PullSecrets.class);
  private static final List<String> HUB_NAMES =
      List.of("docker.io", "index.docker.io", "registry-1.docker.io");

  private PullSecrets() {}

  /**
   * Credentials for a registry.
   *
   * @param secret identifies the secret that holds them; empty if the API gave it no uid
   */
  public record Credentials(String username, String password, String registry, String secret) {
    @Override
    public String toString() {
      return username + "@" + registry;
    }

    /** Returns them as the header that the daemon expects. */
    String header() {
      ObjectNode json = Json.object().put("username", username).put("password", password);
      json.put("serveraddress", registry);
      return Base64.getUrlEncoder().encodeToString(Json.bytes(json));
    }
  }

  /**
   * Returns the credentials that fit, those of the closest address first. Secrets that are missing
   * or malformed are skipped: the image may be available without.
   */
  public static List<Credentials> of(KubeObject pod, PodInputs inputs, ImageRef image) {
    record Fitting(String key, Credentials credentials) {}
    List<Fitting> fitting = new ArrayList<>();
    ArrayNode names = Json.arrayAt(pod.spec(), "imagePullSecrets");
    if (names != null) {
      for (JsonNode name : names) {
        KubeObject secret = inputs.secrets().get(String.valueOf(Json.text(name, "name")));
        for (Map.Entry<String, JsonNode> auth : auths(secret).toList()) {
          Credentials credentials = credentials(auth.getValue(), image.registry(), id(secret));
          if (credentials != null && isFor(auth.getKey(), image)) {
            fitting.add(new Fitting(address(auth.getKey()), credentials));
          }
        }
      }
    }
    return fitting.stream()
        .sorted(Comparator.comparingInt((Fitting each) -> each.key().length()).reversed())
        .map(Fitting::credentials)
        .toList();
  }

  private static String id(@Nullable KubeObject secret) {
    return secret == null || secret.uid().isEmpty()
        ? ""
        : secret.namespace() + "/" + secret.name() + "/" + secret.uid();
  }

  private static Stream<Map.Entry<String, JsonNode>> auths(@Nullable KubeObject secret) {
    if (secret == null) {
      return Stream.empty();
    }
    ObjectNode data = Json.objectAt(secret.tree(), "data");
    String text = Json.text(data, ".dockerconfigjson");
    boolean old = text == null;
    if (old) {
      text = Json.text(data, ".dockercfg");
    }
    if (text == null) {
      return Stream.empty();
    }
    try {
      ObjectNode config = Json.parse(Base64.getMimeDecoder().decode(text));
      ObjectNode auths = old ? config : Json.objectAt(config, "auths");
      return auths == null ? Stream.empty() : auths.properties().stream();
    } catch (IllegalArgumentException | JacksonException fault) {
      LOG.warn("Ignoring {} for image pulls: it is not a Docker configuration", secret.ref());
      return Stream.empty();
    }
  }

  private static boolean isFor(String key, ImageRef image) {
    String address = address(key);
    int slash = address.indexOf('/');
    String host = slash < 0 ? address : address.substring(0, slash);
    String path = slash < 0 ? "" : address.substring(slash + 1);
    boolean sameHost =
        image.registry().equals(ImageRef.DOCKER_HUB)
            ? HUB_NAMES.stream().anyMatch(name -> isHost(host, name))
            : isHost(host, image.registry());
    return sameHost
        && (path.isEmpty() || image.path().equals(path) || image.path().startsWith(path + "/"));
  }

  /** True if a host with its port is meant, each part of whose name may be a glob. */
  private static boolean isHost(String pattern, String host) {
    if (pattern.equals(host)) {
      return true;
    }
    String[] parts = pattern.split("\\.", -1);
    String[] names = host.split("\\.", -1);
    return pattern.matches(".*[*?\\[].*")
        && parts.length == names.length
        && IntStream.range(0, parts.length).allMatch(i -> isPart(parts[i], names[i]));
  }

  private static boolean isPart(String glob, String name) {
    try {
      return FileSystems.getDefault()
          .getPathMatcher("glob:" + glob.replace("[^", "[!"))
          .matches(Path.of(name));
    } catch (PatternSyntaxException malformed) {
      return false;
    }
  }

  /** Returns the address without the scheme, and without the API version that old clients add. */
  private static String address(String key) {
    return key.replaceFirst("^https?://", "").replaceFirst("/v[12]/?$", "").replaceAll("/+$", "");
  }

  private static @Nullable Credentials credentials(JsonNode auth, String registry, String secret) {
    String username = Json.text(auth, "username");
    String password = Json.text(auth, "password");
    String both = Json.text(auth, "auth");
    if (both != null && (username == null || username.isEmpty())) {
      String[] parts =
          new String(Base64.getMimeDecoder().decode(both), StandardCharsets.UTF_8).split(":", 2);
      username = parts[0];
      password = parts.length > 1 ? parts[1] : "";
    }
    return username == null || password == null
        ? null
        : new Credentials(username, password, registry, secret);
  }
}
