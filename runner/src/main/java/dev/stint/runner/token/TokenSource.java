package dev.stint.runner.token;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file with a token in a projected volume.
 *
 * @param volume the name of the volume
 * @param path relative to the volume
 * @param audience the audience of the token; empty for the API server
 * @param expirationSeconds the life that the pod asks for
 */
public record TokenSource(String volume, String path, String audience, long expirationSeconds) {
  private static final long USUAL_SECONDS = 3600;

  /** Returns the token of a source of a projected volume; null if the source is another one. */
  public static @Nullable TokenSource of(String volume, @Nullable ObjectNode source) {
    ObjectNode token = Json.objectAt(source, "serviceAccountToken");
    if (token == null) {
      return null;
    }
    Long seconds = Json.longInteger(token, "expirationSeconds");
    return new TokenSource(
        volume,
        Objects.requireNonNullElse(Json.text(token, "path"), ""),
        Objects.requireNonNullElse(Json.text(token, "audience"), ""),
        seconds == null ? USUAL_SECONDS : seconds);
  }

  /** Returns all tokens of a pod. */
  public static List<TokenSource> of(@Nullable ObjectNode spec) {
    ArrayNode volumes = Json.arrayAt(spec, "volumes");
    List<TokenSource> found = new ArrayList<>();
    for (int i = 0; volumes != null && i < volumes.size(); i++) {
      String name = String.valueOf(Json.text(volumes.get(i), "name"));
      ArrayNode sources = Json.arrayAt(Json.objectAt(volumes.get(i), "projected"), "sources");
      for (int j = 0; sources != null && j < sources.size(); j++) {
        TokenSource token = sources.get(j) instanceof ObjectNode source ? of(name, source) : null;
        if (token != null) {
          found.add(token);
        }
      }
    }
    return found;
  }
}
