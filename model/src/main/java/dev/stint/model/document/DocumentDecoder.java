package dev.stint.model.document;

import dev.stint.model.Json;
import dev.stint.model.document.RawNode.Member;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import dev.stint.model.document.RawNode.RawValue;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.Trail;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.MapOf;
import dev.stint.model.schema.ValueType.Reference;
import dev.stint.model.schema.ValueType.Scalar;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decodes a raw document into a tree that fits its schema, and collects the faults on the way: up
 * to {@link DocumentLimits#FAULTS} of each type.
 *
 * <p>The tree has the form that Kubernetes would return: empty values are left out if empty and
 * absent mean the same, and amounts and times are canonical. {@link StoredForm} later removes the
 * empty lists and maps that count as set while a request is checked.
 */
final class DocumentDecoder {
  private static final JsonNodeFactory NODES = Json.nodes();

  /** Field names from earlier proposals, with their replacements. */
  private static final Map<String, Map<String, String>> FORMER_NAMES =
      Map.of("SuccessPolicy", Map.of("criteria", "rules"));

  /** The levels from a CronJob's spec to that of its pods: jobTemplate, spec, template, spec. */
  private static final int LEVELS_BELOW = 4;

  private static final String TOO_OFTEN =
      "has too many duplicates; at most "
          + DocumentLimits.REPEATS
          + " members of an object may be repeated";

  private final FieldErrors faults;
  private final Trail trail = new Trail();

  /** The numbers of faults by type, with those that were too many. */
  private final Map<FieldError.Type, Integer> found = new EnumMap<>(FieldError.Type.class);

  /** The depth inside repeated fields, whose values are decoded for their faults alone. */
  private int checking;

  DocumentDecoder(FieldErrors faults) {
    this.faults = faults;
  }

  /**
   * Decodes a part of a document.
   *
   * @param field the member of the document that it is the value of
   */
  ObjectNode object(String field, RawObject raw, ObjectSchema schema) {
    trail.enter(field);
    ObjectNode tree = object(raw, schema);
    trail.leave();
    return tree;
  }

  /** Decodes an object; members with faults are left out. */
  ObjectNode object(RawObject raw, ObjectSchema schema) {
    ObjectNode tree = NODES.objectNode();
    Map<String, List<Member>> all = new HashMap<>();
    raw.members()
        .forEach(
            member -> all.computeIfAbsent(member.name(), name -> new ArrayList<>(1)).add(member));
    Set<String> seen = new HashSet<>();
    int repeats = 0;
    for (Member member : raw.members()) {
      List<Member> same = all.getOrDefault(member.name(), List.of(member));
      Member first = same.getFirst();
      boolean again = !seen.add(member.name());
      if (again && ++repeats > DocumentLimits.REPEATS) {
        if (repeats == DocumentLimits.REPEATS + 1) {
          report(member, FieldError.Type.UNDECODABLE, () -> TOO_OFTEN);
        }
        continue;
      }
      if (again) {
        reportAgain(first, member);
      }
      FieldSchema field = schema.field(member.name());
      if (field == null) {
        reportUnknown(member, schema);
        continue;
      }
      trail.enter(member.name());
      if (same.size() == 1) {
        put(tree, field, value(member.value(), field.type()));
      } else {
        check(member, field);
        if (!again && checking == 0) {
          put(tree, field, folded(same, field));
        }
      }
      trail.leave();
    }
    addWhatIsAlwaysThere(tree, schema);
    return tree;
  }

  /** Collects the faults of one of the values of a repeated field. */
  private void check(Member member, FieldSchema field) {
    checking++;
    value(member.value(), field.type());
    checking--;
  }

  /** Returns the value of a repeated field, without collecting the faults of its values. */
  private static @Nullable JsonNode folded(List<Member> same, FieldSchema field) {
    RawNode value = RawNode.folded(same.stream().map(Member::value).toList());
    return new DocumentDecoder(new FieldErrors()).value(value, field.type());
  }

  /** Decodes a tree without a schema: nothing is unknown, but repeated members are still faults. */
  JsonNode anything(RawNode raw) {
    return switch (raw) {
      case RawValue value -> value.value();
      case RawArray array -> {
        ArrayNode items = NODES.arrayNode();
        for (int i = 0; i < array.items().size(); i++) {
          trail.enterIndex(i);
          items.add(anything(array.items().get(i)));
          trail.leave();
        }
        yield items;
      }
      case RawObject object -> {
        ObjectNode tree = NODES.objectNode();
        for (Member member : object.members()) {
          trail.enter(member.name());
          if (tree.has(member.name())) {
            report(FieldError.Type.REPEATED, () -> twice("field", 0, 0));
          }
          tree.set(member.name(), anything(member.value()));
          trail.leave();
        }
        yield tree;
      }
    };
  }

  private static void addWhatIsAlwaysThere(ObjectNode tree, ObjectSchema schema) {
    for (FieldSchema field : schema.fields().values()) {
      if (field.presence() == Presence.ALWAYS && !tree.has(field.name())) {
        tree.set(field.name(), empty(field.type()));
      } else if (field.presence() == Presence.NULLABLE && !tree.has(field.name())) {
        tree.putNull(field.name());
      }
    }
  }

  private static void put(ObjectNode tree, FieldSchema field, @Nullable JsonNode value) {
    boolean different = field.presence() != Presence.OMITTED && field.presence() != Presence.ALWAYS;
    boolean kept = value != null && (different || !isEmpty(value, field.type()));
    if (kept) {
      tree.set(field.name(), value);
    } else {
      tree.remove(field.name());
    }
  }

  /**
   * True if the value means the same as an absent one, for a field that does not distinguish them.
   */
  private static boolean isEmpty(JsonNode value, ValueType type) {
    return switch (type) {
      case Reference reference -> false;
      case ListOf list -> value.isEmpty();
      case MapOf map -> value.isEmpty();
      case Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES -> value.stringValue().isEmpty();
            case BOOLEAN -> !value.booleanValue();
            case INT32, INT64 -> value.longValue() == 0;
            default -> false;
          };
    };
  }

  private static JsonNode empty(ValueType type) {
    return switch (type) {
      case Reference(String name) -> {
        ObjectNode tree = NODES.objectNode();
        addWhatIsAlwaysThere(tree, Schema.type(name));
        yield tree;
      }
      case Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES -> NODES.stringNode("");
            case BOOLEAN -> NODES.booleanNode(false);
            case INT32, INT64, INT_OR_STRING -> NODES.numberNode(0);
            case QUANTITY -> NODES.stringNode("0");
            default -> NODES.nullNode();
          };
      default -> NODES.nullNode();
    };
  }

  /** Decodes a value; null if it is absent or has a fault. */
  private @Nullable JsonNode value(RawNode raw, ValueType type) {
    if (raw instanceof RawValue value && value.value().isNull()) {
      return null;
    }
    return switch (type) {
      case Reference(String name) ->
          raw instanceof RawObject object
              ? object(object, Schema.type(name))
              : mismatch(raw, "an object");
      case ListOf(ValueType item) ->
          raw instanceof RawArray array ? list(array, item) : mismatch(raw, "a list");
      case MapOf(ValueType item) ->
          raw instanceof RawObject object ? map(object, item) : mismatch(raw, "a map");
      case Scalar scalar -> scalar(raw, scalar);
    };
  }

  private ArrayNode list(RawArray raw, ValueType type) {
    ArrayNode items = NODES.arrayNode();
    for (int i = 0; i < raw.items().size(); i++) {
      trail.enterIndex(i);
      JsonNode item = value(raw.items().get(i), type);
      trail.leave();
      items.add(item != null ? item : empty(type));
    }
    return items;
  }

  private ObjectNode map(RawObject raw, ValueType type) {
    ObjectNode members = NODES.objectNode();
    for (Member member : raw.members()) {
      String name = ScalarDecoder.wellFormed(member.name());
      trail.enterKey(name);
      if (members.has(name)) {
        report(FieldError.Type.REPEATED, () -> twice("key", 0, 0));
      }
      JsonNode value = value(member.value(), type);
      trail.leave();
      members.set(name, value != null ? value : empty(type));
    }
    return members;
  }

  private @Nullable JsonNode scalar(RawNode raw, Scalar type) {
    if (type == Scalar.ANY) {
      return anything(raw);
    }
    JsonNode decoded = ScalarDecoder.decode(raw, type);
    if (decoded != null) {
      return decoded;
    }
    if (!(raw instanceof RawValue value)) {
      return mismatch(raw, ScalarDecoder.expectation(type));
    }
    report(FieldError.Type.UNDECODABLE, () -> ScalarDecoder.complaint(value, type));
    return null;
  }

  private @Nullable JsonNode mismatch(RawNode raw, String expected) {
    report(
        FieldError.Type.UNDECODABLE,
        () -> "must be " + expected + ", found " + ScalarDecoder.describe(raw));
    return null;
  }

  private void reportAgain(Member first, Member again) {
    report(again, FieldError.Type.REPEATED, () -> twice("field", first.line(), again.line()));
  }

  private void reportUnknown(Member member, ObjectSchema schema) {
    report(member, FieldError.Type.UNKNOWN, () -> unknown(member.name(), schema));
  }

  /** Reports a fault of a member of the object at hand. */
  private void report(Member member, FieldError.Type type, Supplier<String> detail) {
    trail.enter(member.name());
    report(type, detail);
    trail.leave();
  }

  /**
   * Reports a fault of the value at hand. Counts those that are too many, but makes no text of
   * them: it could be as long as the document.
   */
  private void report(FieldError.Type type, Supplier<String> detail) {
    if (found.merge(type, 1, Integer::sum) <= DocumentLimits.FAULTS) {
      faults.add(new FieldError(trail.bracketed(), type, detail.get()));
    }
  }

  /**
   * Words the fault of a name that occurs twice.
   *
   * @param first the line where it occurs first; 0 if lines are not known
   */
  private static String twice(String what, int first, int second) {
    String where = first == 0 ? "" : ", on lines " + first + " and " + second;
    return "this " + what + " occurs twice" + where + "; keep one of them";
  }

  private static String unknown(String name, ObjectSchema schema) {
    String former = FORMER_NAMES.getOrDefault(schema.name(), Map.of()).get(name);
    if (former != null) {
      return "unknown field; it is called \"" + former + "\"";
    }
    Optional<String> near = SpellingHint.nearest(name, schema.fields().keySet());
    return near.map(meant -> "unknown field; did you mean \"" + meant + "\"?")
        .orElseGet(() ->
            below(name, schema, LEVELS_BELOW)
                .map(place -> "unknown field; it belongs in \"" + place + "\"")
                .orElse("unknown field"));
  }

  /** Returns the path of a nested object that has the field: {@code template.spec}. */
  private static Optional<String> below(String name, ObjectSchema schema, int levels) {
    for (FieldSchema field : schema.fields().values()) {
      if (levels > 0 && field.type() instanceof Reference(String type) && !isMetadata(field)) {
        ObjectSchema inner = Schema.type(type);
        Optional<String> place =
            inner.field(name) != null ? Optional.of("") : below(name, inner, levels - 1);
        if (place.isPresent()) {
          return place.map(rest -> rest.isEmpty() ? field.name() : field.name() + "." + rest);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * True for fields whose members, such as names and labels, have another meaning in each place.
   */
  private static boolean isMetadata(FieldSchema field) {
    return field.name().equals("metadata") || field.name().equals("status");
  }
}
