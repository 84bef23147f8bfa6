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
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Makes the types that rules see of one schema. Parts that rules may not see have none. */
final class RuleTypes implements CelTypeProvider {
  private static final RuleType TEXT =
      new Scalar(SimpleType.STRING, "", RuleSizes.REQUEST_BYTES - 2, RuleType.EMPTY_BYTES);

  /** A key of a map, whose length Kubernetes does not count. */
  private static final RuleType KEY = new Scalar(SimpleType.STRING, "", 0, RuleType.EMPTY_BYTES);

  private static final long NUMBER_BYTES = 1;
  private static final long TRUE_BYTES = 4;
  private static final long DURATION_BYTES = 3;
  private static final long DATE_BYTES = 12;
  private static final long TIME_BYTES = 21;

  /** Types that rules may compare with {@code type(x)}, beside those of the language. */
  private static final Map<String, CelType> WELL_KNOWN =
      Map.of(
          "google.protobuf.Duration", SimpleType.DURATION,
          "google.protobuf.Timestamp", SimpleType.TIMESTAMP);

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
    CelType own = structs.get(name);
    return Optional.ofNullable(own == null ? WELL_KNOWN.get(name) : own);
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
      return new Scalar(SimpleType.DYN, "", RuleSizes.intOrString(schema), NUMBER_BYTES);
    }
    return switch (schema.type()) {
      case "string" -> text(schema);
      case "integer" -> new Scalar(SimpleType.INT, "", 0, NUMBER_BYTES);
      case "number" -> new Scalar(SimpleType.DOUBLE, "", 0, NUMBER_BYTES);
      case "boolean" -> new Scalar(SimpleType.BOOL, "", 0, TRUE_BYTES);
      case "array" -> list(schema);
      case "object" -> schema.additionalSchema() == null ? object(schema) : map(schema);
      default -> null;
    };
  }

  private static RuleType text(JsonSchema schema) {
    String format = schema.text().format();
    long most = RuleSizes.text(schema);
    return switch (format) {
      case "byte" -> new Scalar(SimpleType.BYTES, format, most, RuleType.EMPTY_BYTES);
      case "date" -> new Scalar(SimpleType.TIMESTAMP, format, most, DATE_BYTES);
      case "date-time" -> new Scalar(SimpleType.TIMESTAMP, format, most, TIME_BYTES);
      case "duration" -> new Scalar(SimpleType.DURATION, format, most, DURATION_BYTES);
      default -> new Scalar(SimpleType.STRING, "", most, RuleType.EMPTY_BYTES);
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
        ListType.create(items.celType()),
        items,
        order,
        schema.extensions().listMapKeys(),
        RuleSizes.list(schema, items));
  }

  private @Nullable RuleType map(JsonSchema schema) {
    JsonSchema additional = schema.additionalSchema();
    RuleType values = additional == null ? null : of(additional);
    return values == null
        ? null
        : new MapOf(
            MapType.create(SimpleType.STRING, values.celType()),
            KEY,
            values,
            RuleSizes.map(schema, values));
  }

  private RuleType object(JsonSchema schema) {
    Map<String, RuleType> members = new LinkedHashMap<>();
    AtomicLong minBytes = new AtomicLong(RuleType.EMPTY_BYTES);
    schema
        .properties()
        .forEach((name, member) -> {
          RuleType type = of(member);
          if (type != null && FieldNames.isReachable(name)) {
            members.put(name, type);
          }
          if (type != null && schema.required().contains(name) && member.defaultValue() == null) {
            minBytes.addAndGet(RuleSizes.member(name, type));
          }
        });
    if ((schema == root || schema.isEmbeddedResource()) && !hasMetadata(schema)) {
      members.put("apiVersion", TEXT);
      members.put("kind", TEXT);
      Map<String, RuleType> metadata = Map.of("name", TEXT, "generateName", TEXT);
      members.put("metadata", struct(metadata, RuleType.EMPTY_BYTES));
    }
    return struct(members, minBytes.get());
  }

  /** True if a schema describes the name and kind of an object, so that rules may use them. */
  private static boolean hasMetadata(JsonSchema schema) {
    JsonSchema metadata = schema.properties().get("metadata");
    return metadata != null
        && metadata.isObject()
        && isText(schema, "kind")
        && isText(schema, "apiVersion")
        && isText(metadata, "name")
        && isText(metadata, "generateName");
  }

  private static boolean isText(JsonSchema schema, String member) {
    JsonSchema found = schema.properties().get(member);
    return found != null && found.type().equals("string");
  }

  private ObjectOf struct(Map<String, RuleType> members, long minBytes) {
    Map<String, Field> fields = new LinkedHashMap<>();
    Map<String, String> names = new HashMap<>();
    members.forEach((name, type) -> {
      String escaped = FieldNames.escaped(name);
      fields.put(escaped, new Field(name, type));
      names.put(name, escaped);
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
    return new ObjectOf(type, Map.copyOf(fields), Map.copyOf(names), minBytes);
  }
}
