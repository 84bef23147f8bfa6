package dev.stint.model.schema;

import dev.stint.model.schema.FieldSchema.Ownership;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ValueType.Scalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the form that the first lines of every {@code *.schema} file state. */
final class SchemaText {
  private static final Map<String, Scalar> SCALARS =
      Map.of(
          "string", Scalar.STRING,
          "boolean", Scalar.BOOLEAN,
          "int32", Scalar.INT32,
          "int64", Scalar.INT64,
          "quantity", Scalar.QUANTITY,
          "int-or-string", Scalar.INT_OR_STRING,
          "time", Scalar.TIME,
          "microtime", Scalar.MICRO_TIME,
          "bytes", Scalar.BYTES,
          "any", Scalar.ANY);

  private SchemaText() {}

  /** The name of the type that a block of lines describes. */
  static String name(String block) {
    return headWords(block).get(1);
  }

  /** The API version of a type that stands alone. */
  static Optional<String> apiVersion(String block) {
    return Optional.ofNullable(flag(headWords(block), "kind"));
  }

  static ObjectSchema objectType(String block) {
    Map<String, FieldSchema> fields = new LinkedHashMap<>();
    block
        .lines()
        .skip(1)
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(SchemaText::field)
        .forEach(field -> fields.put(field.name(), field));
    return new ObjectSchema(
        name(block), headWords(block).contains("atomic"), Collections.unmodifiableMap(fields));
  }

  private static List<String> headWords(String block) {
    return words(block.lines().findFirst().orElseThrow());
  }

  private static FieldSchema field(String line) {
    List<String> words = words(line);
    String type = words.get(1);
    Presence presence =
        switch (type.charAt(type.length() - 1)) {
          case '?' -> Presence.OPTIONAL;
          case '!' -> Presence.ALWAYS;
          default -> Presence.OMITTED;
        };
    String bare = presence == Presence.OMITTED ? type : type.substring(0, type.length() - 1);
    String keys = flag(words, "keys");
    return new FieldSchema(
        words.getFirst(),
        valueType(bare),
        presence,
        ownership(words, keys),
        keys == null ? List.of() : List.of(keys.split(",")),
        words.contains("patch") ? "" : flag(words, "patch"),
        words.contains("retainKeys"),
        flag(words, "default"));
  }

  private static Ownership ownership(List<String> words, @Nullable String keys) {
    if (keys != null) {
      return Ownership.KEYS;
    }
    return words.contains("set")
        ? Ownership.SET
        : words.contains("atomic") ? Ownership.ATOMIC : Ownership.GRANULAR;
  }

  private static ValueType valueType(String text) {
    String inner = text.substring(1, Math.max(1, text.length() - 1));
    return switch (text.charAt(0)) {
      case '[' -> new ValueType.ListOf(valueType(inner));
      case '{' -> new ValueType.MapOf(valueType(inner));
      default -> {
        Scalar scalar = SCALARS.get(text);
        yield scalar != null ? scalar : new ValueType.Reference(text);
      }
    };
  }

  private static @Nullable String flag(List<String> words, String name) {
    for (String word : words) {
      if (word.startsWith(name + "=")) {
        return word.substring(name.length() + 1);
      }
    }
    return null;
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (String word : line.strip().split("\\s+")) {
      words.add(word);
    }
    return words;
  }
}
