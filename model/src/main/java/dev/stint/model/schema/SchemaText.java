package dev.stint.model.schema;

import dev.stint.model.schema.FieldSchema.Ownership;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ValueType.Scalar;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code *.schema} files, whose first lines describe their format. */
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

  private static final String PACKAGE = "package ";

  /** The package of types that no line gives another one. */
  private static final String CORE = "io.k8s.api.core.v1";

  private SchemaText() {}

  /** The lines of one type, and the package that it belongs to. */
  record Block(String text, String inPackage) {}

  /**
   * Returns the blocks of lines of a file, one per type. Avoids regular expressions and streams:
   * this runs at the start of the program.
   */
  static List<Block> blocks(String file) {
    List<Block> blocks = new ArrayList<>();
    String inPackage = CORE;
    int type = -1;
    for (int at = 0; at < file.length(); at = next(file, at)) {
      boolean ofPackage = file.startsWith(PACKAGE, at);
      if (type >= 0 && (ofPackage || file.startsWith("type ", at))) {
        blocks.add(new Block(file.substring(type, at), inPackage));
        type = -1;
      }
      if (ofPackage) {
        inPackage = line(file, at).substring(PACKAGE.length());
      } else if (file.startsWith("type ", at)) {
        type = at;
      }
    }
    if (type >= 0) {
      blocks.add(new Block(file.substring(type), inPackage));
    }
    return blocks;
  }

  /** Returns the name of the type that a block of lines describes. */
  static String name(String block) {
    return words(line(block, 0)).get(1);
  }

  /** Returns the name of the type in OpenAPI, without its package. */
  static String publicName(String block) {
    List<String> head = words(line(block, 0));
    String name = flag(head, "as");
    return name == null ? head.get(1) : name;
  }

  /** Returns how whole documents of the type are addressed; null if code says that. */
  static Schema.@Nullable Address address(String block) {
    List<String> head = words(line(block, 0));
    String plural = flag(head, "plural");
    String kind = kind(head);
    return plural == null || kind == null
        ? null
        : new Schema.Address(kind, plural, !head.contains("cluster"));
  }

  /** Returns the kind of whole documents of the type, such as {@code "batch/v1 Job"}; else null. */
  static @Nullable String kind(String block) {
    return kind(words(line(block, 0)));
  }

  private static @Nullable String kind(List<String> head) {
    String kind = flag(head, "kind");
    if (kind == null) {
      return null;
    }
    int slash = kind.lastIndexOf('/');
    boolean named = slash >= 0 && Character.isUpperCase(kind.charAt(slash + 1));
    return named
        ? kind.substring(0, slash) + " " + kind.substring(slash + 1)
        : kind + " " + head.get(1);
  }

  static ObjectSchema objectType(String block) {
    List<String> head = words(line(block, 0));
    Map<String, FieldSchema> fields = new LinkedHashMap<>();
    for (int at = next(block, 0); at < block.length(); at = next(block, at)) {
      List<String> words = words(line(block, at));
      if (!words.isEmpty() && !words.getFirst().startsWith("#")) {
        fields.put(words.getFirst(), field(words));
      }
    }
    return new ObjectSchema(
        head.get(1), head.contains("atomic"), Collections.unmodifiableMap(fields));
  }

  private static String line(String block, int start) {
    return block.substring(start, Math.max(start, next(block, start) - 1));
  }

  private static int next(String block, int start) {
    int end = block.indexOf('\n', start);
    return end < 0 ? block.length() + 1 : end + 1;
  }

  private static FieldSchema field(List<String> words) {
    String type = words.get(1);
    Presence presence =
        switch (type.charAt(type.length() - 1)) {
          case '?' -> Presence.OPTIONAL;
          case '!' -> Presence.ALWAYS;
          case '~' -> Presence.NULLABLE;
          case '*' -> Presence.CHECKED;
          default -> Presence.OMITTED;
        };
    String bare = presence == Presence.OMITTED ? type : type.substring(0, type.length() - 1);
    String keys = flag(words, "keys");
    return new FieldSchema(
        words.getFirst(),
        valueType(bare),
        presence,
        ownership(words, keys),
        listed(keys),
        words.contains("patch") ? "" : flag(words, "patch"),
        words.contains("retainKeys"),
        flag(words, "default"),
        words.contains("required"),
        listed(flag(words, "enum")));
  }

  private static List<String> listed(@Nullable String flag) {
    return flag == null ? List.of() : List.of(flag.split(",", -1));
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
      if (word.startsWith(name) && word.startsWith("=", name.length())) {
        return word.substring(name.length() + 1);
      }
    }
    return null;
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= line.length(); i++) {
      if (i == line.length() || line.charAt(i) == ' ') {
        if (i > start) {
          words.add(line.substring(start, i));
        }
        start = i + 1;
      }
    }
    return words;
  }
}
