package dev.stint.apiserver.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The descriptions of types and fields, in a sentence or two, as {@code kubectl explain} prints
 * them. Read once from {@code descriptions.txt} beside this class.
 */
final class Descriptions {
  private static final String FILE = "descriptions.txt";
  private static final String ANY_TYPE = "*";
  private static final Map<String, String> KNOWN = load();

  private Descriptions() {}

  /** Returns the description of a type; null if there is none. */
  static @Nullable String of(String type) {
    return KNOWN.get(type);
  }

  /** Returns the description of a field; null if there is none. */
  static @Nullable String of(String type, String field) {
    String own = KNOWN.get(type + "." + field);
    return own != null ? own : KNOWN.get(ANY_TYPE + "." + field);
  }

  /**
   * Returns all keys and texts of the file: {@code Type}, {@code Type.field} or {@code *.field}.
   */
  static Map<String, String> all() {
    return KNOWN;
  }

  private static Map<String, String> load() {
    Map<String, String> known = new HashMap<>();
    text()
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(line -> {
          int colon = line.indexOf(": ");
          if (colon < 0 || known.put(line.substring(0, colon), line.substring(colon + 2)) != null) {
            throw new IllegalStateException(FILE + ": no description, or a second: " + line);
          }
        });
    return Map.copyOf(known);
  }

  private static String text() {
    try (InputStream in = Descriptions.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("missing from the program: " + FILE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
