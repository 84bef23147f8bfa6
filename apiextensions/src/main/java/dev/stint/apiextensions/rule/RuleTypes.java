package dev.stint.apiextensions.rule;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.stint.apiextensions.rule.RuleType.Field;
import dev.stint.apiextensions.rule.RuleType.ListOf;
import dev.stint.apiextensions.rule.RuleType.MapOf;
import dev.stint.apiextensions.rule.RuleType.ObjectOf;
import dev.stint.apiextensions.rule.RuleType.Order;
import dev.stint.apiextensions.rule.RuleType.Scalar;
import dev.stint.apiextensions.schema.JsonSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the types that rules see of one schema. Parts that rules may not see have none. */
final class RuleTypes implements CelTypeProvider {
  private static final RuleType TEXT = new Scalar(SimpleType.STRING, "");

  private final JsonSchema root;
  private final IdentityHashMap<JsonSchema, Optional<RuleType>> known = new IdentityHashMap<>();
  private final Map<String, CelType> structs = new HashMap<>();

  RuleTypes(JsonSchema root) {
    this.root = root;
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableList.copyOf(structs.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(structs.get(name));
  }

  /** Returns the type of a node of the schema; null if rules may not see it. */
  @Nullable RuleType of(JsonSchema schema) {
    Optional<RuleType> found = known.get(schema);
    if (found == null) {
      found = Optional.ofNullable(made(schema));
      known.put(schema, found);
    }
    return found.orElse(null);
  }

  private @Nullable RuleType made(JsonSchema schema) {
    if (schema.isIntOrString()) {
      return new Scalar(SimpleType.DYN, "");
    }
    return switch (schema.type()) {
      case "string" -> text(schema.text().format());
      case "integer" -> new Scalar(SimpleType.INT, "");
      case "number" -> new Scalar(SimpleType.DOUBLE, "");
      case "boolean" -> new Scalar(SimpleType.BOOL, "");
      case "array" -> list(schema);
      case "object" -> schema.additionalSchema() == null ? object(schema) : map(schema);
      default -> null;
    };
  }

  private static RuleType text(String format) {
    return switch (format) {
      case "byte" -> new Scalar(SimpleType.BYTES, format);
      case "date", "date-time", "datetime" -> new Scalar(SimpleType.TIMESTAMP, format);
      case "duration" -> new Scalar(SimpleType.DURATION, format);
      default -> TEXT;
    };
  }

  private @Nullable RuleType list(JsonSchema schema) {
    RuleType items = schema.items() == null ? null : of(schema.items());
    if (items == null) {
      return null;
    }
    Order order =
        switch (schema.extensions().listType()) {
          case "set" -> Order.SET;
          case "map" -> Order.MAP;
          default -> Order.ATOMIC;
        };
    return new ListOf(
        ListType.create(items.celType()), items, order, schema.extensions().listMapKeys());
  }

  private @Nullable RuleType map(JsonSchema schema) {
    JsonSchema additional = schema.additionalSchema();
    RuleType values = additional == null ? null : of(additional);
    return values == null
        ? null
        : new MapOf(MapType.create(SimpleType.STRING, values.celType()), values);
  }

  private RuleType object(JsonSchema schema) {
    Map<String, RuleType> members = new LinkedHashMap<>();
    schema
        .properties()
        .forEach((name, member) -> {
          RuleType type = FieldNames.isReachable(name) ? of(member) : null;
          if (type != null) {
            members.put(name, type);
          }
        });
    if (schema == root || schema.isEmbeddedResource()) {
      members.put("apiVersion", TEXT);
      members.put("kind", TEXT);
      members.put("metadata", struct(Map.of("name", TEXT, "generateName", TEXT)));
    }
    return struct(members);
  }

  private ObjectOf struct(Map<String, RuleType> members) {
    Map<String, Field> fields = new LinkedHashMap<>();
    List<String> primary = new ArrayList<>();
    members.forEach((name, type) -> {
      String escaped = FieldNames.escaped(name);
      fields.put(escaped, new Field(name, type));
      primary.add(escaped);
      if (FieldNames.isReserved(name)) {
        fields.put(name, new Field(name, type));
      }
    });
    String name = "object" + structs.size();
    StructType type =
        StructType.create(
            name,
            ImmutableSet.copyOf(fields.keySet()),
            field -> Optional.ofNullable(fields.get(field)).map(found -> found.type().celType()));
    structs.put(name, type);
    return new ObjectOf(type, Map.copyOf(fields), List.copyOf(primary));
  }
}
