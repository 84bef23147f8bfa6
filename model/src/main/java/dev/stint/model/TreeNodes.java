package dev.stint.model;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the nodes of trees: objects whose members are a {@link MemberMap}. */
final class TreeNodes extends JsonNodeFactory {
  private static final long serialVersionUID = 1;

  @Override
  public ObjectNode objectNode() {
    return new TreeObject(this, new MemberMap());
  }

  /** Returns the length of a value's text that was set last; 0 if none is known. */
  static int textLength(JsonNode value) {
    return value instanceof TreeObject object ? object.textLength : 0;
  }

  /** Sets the length of a value's text. The value may not be changed any more. */
  static void setTextLength(JsonNode value, int length) {
    if (value instanceof TreeObject object) {
      object.textLength = length;
    }
  }

  private static final class TreeObject extends ObjectNode {
    private static final long serialVersionUID = 1;
    private final transient MemberMap members;
    private transient int textLength;

    TreeObject(JsonNodeFactory nodes, MemberMap members) {
      super(nodes, members);
      this.members = members;
    }

    @Override
    public ObjectNode deepCopy() {
      ObjectNode copy = objectNode();
      members.forEach((name, value) -> copy.set(name, value.deepCopy()));
      return copy;
    }
  }
}
