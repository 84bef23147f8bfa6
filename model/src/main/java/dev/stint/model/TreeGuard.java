package dev.stint.model;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a change of a shared tree fail, where assertions are enabled, as in all tests: nodes are
 * then made by a factory whose nodes can be frozen, and a {@link KubeObject} freezes its tree.
 * Without assertions, nodes are {@link TreeNodes}, and nothing is checked.
 */
final class TreeGuard {
  private static final boolean ENABLED = TreeGuard.class.desiredAssertionStatus();

  private TreeGuard() {}

  /** Returns the factory for all nodes. */
  static JsonNodeFactory nodes() {
    return ENABLED ? new FreezableNodes() : new TreeNodes();
  }

  /** Freezes a tree that is shared from now on: a change of it throws. */
  static void freeze(@Nullable JsonNode tree) {
    if (ENABLED && tree != null) {
      freezeAll(tree);
    }
  }

  /** Freezes what is not frozen yet: trees share many of their parts. */
  private static void freezeAll(JsonNode node) {
    if (node instanceof FreezableObject object) {
      if (!object.members.frozen) {
        object.members.frozen = true;
        object.members.map.values().forEach(TreeGuard::freezeAll);
      }
    } else if (node instanceof FreezableArray array && !array.elements.frozen) {
      array.elements.frozen = true;
      array.elements.list.forEach(TreeGuard::freezeAll);
    }
  }

  private static void check(boolean frozen) {
    if (frozen) {
      throw new UnsupportedOperationException("the tree is shared");
    }
  }

  /** Makes nodes that can be frozen. */
  private static final class FreezableNodes extends JsonNodeFactory {
    private static final long serialVersionUID = 1;

    @Override
    public ObjectNode objectNode() {
      return new FreezableObject(this, new Members());
    }

    @Override
    public ArrayNode arrayNode() {
      return new FreezableArray(this, new Elements());
    }

    @Override
    public ArrayNode arrayNode(int capacity) {
      return arrayNode();
    }
  }

  private static final class FreezableObject extends ObjectNode {
    private static final long serialVersionUID = 1;
    private final transient Members members;

    FreezableObject(JsonNodeFactory nodes, Members members) {
      super(nodes, members);
      this.members = members;
    }

    @Override
    public ObjectNode deepCopy() {
      ObjectNode copy = objectNode();
      members.map.forEach((name, value) -> copy.set(name, value.deepCopy()));
      return copy;
    }
  }

  private static final class FreezableArray extends ArrayNode {
    private static final long serialVersionUID = 1;
    private final transient Elements elements;

    FreezableArray(JsonNodeFactory nodes, Elements elements) {
      super(nodes, elements);
      this.elements = elements;
    }

    @Override
    public ArrayNode deepCopy() {
      ArrayNode copy = arrayNode();
      elements.list.forEach(element -> copy.add(element.deepCopy()));
      return copy;
    }
  }

  /** The members of an object. Once they are frozen, each change throws. */
  private static final class Members extends AbstractMap<String, JsonNode> {
    private final MemberMap map = new MemberMap();
    private boolean frozen;

    @Override
    public Set<Map.Entry<String, JsonNode>> entrySet() {
      return (frozen ? Collections.unmodifiableMap(map) : map).entrySet();
    }

    @Override
    public Set<String> keySet() {
      return frozen ? Collections.unmodifiableSet(map.keySet()) : map.keySet();
    }

    @Override
    public Collection<JsonNode> values() {
      return frozen ? Collections.unmodifiableCollection(map.values()) : map.values();
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super JsonNode> each) {
      map.forEach(each);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean containsKey(Object name) {
      return map.containsKey(name);
    }

    @Override
    public @Nullable JsonNode get(Object name) {
      return map.get(name);
    }

    @Override
    public @Nullable JsonNode put(String name, JsonNode value) {
      check(frozen);
      return map.put(name, value);
    }

    @Override
    public @Nullable JsonNode remove(Object name) {
      check(frozen);
      return map.remove(name);
    }
  }

  /** The elements of an array. Once they are frozen, each change throws. */
  private static final class Elements extends AbstractList<JsonNode> {
    private final ArrayList<JsonNode> list = new ArrayList<>();
    private boolean frozen;

    @Override
    public int size() {
      return list.size();
    }

    @Override
    public JsonNode get(int index) {
      return list.get(index);
    }

    @Override
    public JsonNode set(int index, JsonNode element) {
      check(frozen);
      return list.set(index, element);
    }

    @Override
    public void add(int index, JsonNode element) {
      check(frozen);
      list.add(index, element);
    }

    @Override
    public JsonNode remove(int index) {
      check(frozen);
      return list.remove(index);
    }
  }
}
