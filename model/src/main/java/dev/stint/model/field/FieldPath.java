package dev.stint.model.field;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A field in a document: a value, which may be missing, and its path.
 *
 * <p>Paths are built on demand only, so walking a valid document costs little.
 */
public final class FieldPath {
  private static final int MEMBER = -2;
  private static final int ENTRY = -1;

  private final @Nullable FieldPath parent;

  /** The name of a member, or the key of an entry. */
  private final String step;

  /** The index of an item; else {@link #MEMBER} or {@link #ENTRY}. */
  private final int index;

  private final JsonNode node;

  private FieldPath(@Nullable FieldPath parent, String step, int index, JsonNode node) {
    this.parent = parent;
    this.step = step;
    this.index = index;
    this.node = node;
  }

  /** Returns the document itself, whose path is "". */
  public static FieldPath root(ObjectNode document) {
    return new FieldPath(null, "", MEMBER, document);
  }

  /** Returns a member, which may be missing. */
  public FieldPath get(String member) {
    JsonNode found = node.get(member);
    return new FieldPath(this, member, MEMBER, found == null ? MissingNode.getInstance() : found);
  }

  /** Returns one of {@link #entries()}, which may be missing. */
  public FieldPath entry(String key) {
    return new FieldPath(this, key, ENTRY, get(key).node);
  }

  /** Returns a nested member, such as {@code get("spec", "template")}. */
  public FieldPath get(String first, String... more) {
    FieldPath at = get(first);
    for (String member : more) {
      at = at.get(member);
    }
    return at;
  }

  /** Returns the items of a list; empty if there is no list. */
  public List<FieldPath> items() {
    if (!node.isArray() || node.isEmpty()) {
      return List.of();
    }
    List<FieldPath> items = new ArrayList<>(node.size());
    for (int i = 0; i < node.size(); i++) {
      items.add(new FieldPath(this, "", i, node.get(i)));
    }
    return items;
  }

  /**
   * Returns the members of a map, at paths such as {@code limits[cpu]}; empty if there is no map.
   */
  public List<FieldPath> entries() {
    if (!node.isObject() || node.isEmpty()) {
      return List.of();
    }
    List<FieldPath> entries = new ArrayList<>(node.size());
    node.forEachEntry((key, value) -> entries.add(new FieldPath(this, key, ENTRY, value)));
    return entries;
  }

  /** Returns the key of one of {@link #entries()}, the index of an item, or a member's name. */
  public String key() {
    return index >= 0 ? Integer.toString(index) : step;
  }

  /** Returns the path, such as {@code spec.template.spec.containers[0].name}. */
  public String path() {
    if (parent == null) {
      return "";
    }
    String before = parent.path();
    if (index != MEMBER) {
      return before + "[" + key() + "]";
    }
    return before.isEmpty() ? step : before + "." + step;
  }

  /**
   * Returns the same value with its faults reported at another path: for some lists, Kubernetes
   * names the list and not the item.
   */
  public FieldPath reportedAt(FieldPath place) {
    return new FieldPath(place.parent, place.step, place.index, node);
  }

  public JsonNode node() {
    return node;
  }

  /** True if there is a value other than null. */
  public boolean exists() {
    return !node.isMissingNode() && !node.isNull();
  }

  /** True if both are missing or null, or have equal values; 1 equals 1, whatever its type. */
  public boolean sameAs(FieldPath other) {
    return node == other.node
        || (exists() ? node.equals(FieldPath::compare, other.node) : !other.exists());
  }

  /** Returns zero for numerically equal values; called for values that are not equal otherwise. */
  private static int compare(JsonNode one, JsonNode other) {
    return one.equals(other)
            || one.isIntegralNumber()
                && other.isIntegralNumber()
                && one.bigIntegerValue().equals(other.bigIntegerValue())
        ? 0
        : 1;
  }

  /** True if there is no text, list or map with contents. */
  public boolean isEmpty() {
    return node.isString() ? node.stringValue().isEmpty() : node.isEmpty();
  }

  public boolean isTrue() {
    return node.isBoolean() && node.booleanValue();
  }

  /** Returns the text, or "" if there is none. */
  public String text() {
    return node.isString() ? node.stringValue() : "";
  }

  /** Returns the integer, or null if there is none. */
  public @Nullable Long number() {
    return node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : null;
  }

  /** Returns the integer, or 0 if there is none. */
  public long count() {
    Long number = number();
    return number == null ? 0 : number;
  }

  @Override
  public String toString() {
    return path();
  }
}
