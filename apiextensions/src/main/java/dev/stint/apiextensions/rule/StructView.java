package dev.stint.apiextensions.rule;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.RuleType.Field;
import dev.stint.apiextensions.rule.RuleType.ObjectOf;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An object, with the members that rules may see under the names that they use. */
final class StructView extends MapValue {
  private final ObjectNode object;
  private final ObjectOf type;

  StructView(ObjectNode object, ObjectOf type) {
    this.object = object;
    this.type = type;
  }

  @Override
  public CelType celType() {
    return type.celType();
  }

  /** Finds a member. As in Kubernetes, a null is as good as none. */
  @Override
  @Nullable Object find(String name) {
    Field field = type.fields().get(name);
    JsonNode value = field == null ? null : object.get(field.member());
    return field == null || value == null || value.isNull()
        ? null
        : CelValues.of(value, field.type());
  }

  @Override
  boolean has(String name) {
    Field field = type.fields().get(name);
    return field != null && object.hasNonNull(field.member());
  }

  /** Returns a member, and one that rules cannot name as JSON; null if there is none. */
  @Nullable Object compared(Object name) {
    Object known = get(name);
    return known != null || type.fields().containsKey(name)
        ? known
        : object.get(String.valueOf(name));
  }

  /** Counts the members, also those that rules cannot name. */
  @Override
  public int size() {
    return object.size();
  }

  /** Returns all members. Those that rules cannot name are only there to be compared, as JSON. */
  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    List<Map.Entry<String, Object>> entries = new ArrayList<>(object.size());
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = type.names().get(member.getKey());
      Object value = name == null ? member.getValue() : find(name);
      if (value != null) {
        entries.add(Map.entry(name == null ? member.getKey() : name, value));
      }
    }
    return new Entries(entries);
  }

  /** Entries of different names, which are not compared again to make a set of them. */
  private static final class Entries extends AbstractSet<Map.Entry<String, Object>> {
    private final List<Map.Entry<String, Object>> all;

    Entries(List<Map.Entry<String, Object>> all) {
      this.all = all;
    }

    @Override
    public Iterator<Map.Entry<String, Object>> iterator() {
      return all.iterator();
    }

    @Override
    public int size() {
      return all.size();
    }
  }
}
