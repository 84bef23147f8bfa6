package dev.stint.runner.env;

import dev.stint.model.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The variables that a container takes from files in volumes. Each file is read once, however many
 * variables come from it.
 */
final class EnvFiles {
  /**
   * The limit of all files of a container together, in characters: otherwise a container with many
   * of them would hold up others that start. All variables of a command are far shorter.
   */
  static final int MOST_CHARACTERS = 16 << 20;

  private final VolumeFiles files;
  private final String podUid;

  /** The variables that the container names, by their files. */
  private final Map<Source, Set<String>> wanted = new HashMap<>();

  private final Map<Source, Content> contents = new HashMap<>();
  private long left = MOST_CHARACTERS;

  /** A file, as a container names it. */
  private record Source(String volume, String path) {
    static Source of(ObjectNode reference) {
      return new Source(text(reference, "volumeName"), text(reference, "path"));
    }

    @Override
    public String toString() {
      return "file \"%s\" of volume \"%s\"".formatted(path, volume);
    }
  }

  /**
   * The content of a file.
   *
   * @param values those that the container names; none if the file does not exist
   * @param fault why they cannot be read; null if they can
   */
  private record Content(Map<String, String> values, @Nullable String fault) {}

  EnvFiles(VolumeFiles files, String podUid, JsonNode container) {
    this.files = files;
    this.podUid = podUid;
    ArrayNode variables = Json.arrayAt(container, "env");
    if (variables != null) {
      for (JsonNode variable : variables) {
        ObjectNode reference = Json.objectAt(Json.objectAt(variable, "valueFrom"), "fileKeyRef");
        if (reference != null) {
          wanted
              .computeIfAbsent(Source.of(reference), _ -> new HashSet<>())
              .add(text(reference, "key"));
        }
      }
    }
  }

  /**
   * Returns the value of a variable of the container.
   *
   * @param reference its {@code fileKeyRef}
   * @return empty if it is optional and not there
   */
  Optional<String> value(ObjectNode reference) throws EnvFileException {
    Source source = Source.of(reference);
    Content content = contents.computeIfAbsent(source, this::read);
    if (content.fault() != null) {
      throw new EnvFileException(content.fault());
    }
    String key = text(reference, "key");
    String value = content.values().get(key);
    if (value == null && !Boolean.TRUE.equals(Json.bool(reference, "optional"))) {
      throw new EnvFileException("%s has no variable \"%s\"".formatted(source, key));
    }
    return Optional.ofNullable(value);
  }

  private Content read(Source source) {
    try {
      String text = left < 0 ? "" : files.read(podUid, source.volume(), source.path()).orElse("");
      left -= text.length();
      if (left < 0) {
        throw new IOException("the files of the container's variables are larger than 16 MiB");
      }
      Set<String> names = wanted.getOrDefault(source, Set.of());
      return new Content(new EnvFile(source.toString(), text).values(names), null);
    } catch (IOException fault) {
      return new Content(Map.of(), source + ": " + fault.getMessage());
    } catch (EnvFileException fault) {
      return new Content(Map.of(), fault.getMessage());
    }
  }

  private static String text(ObjectNode reference, String member) {
    String text = Json.text(reference, member);
    return text == null ? "" : text;
  }
}
