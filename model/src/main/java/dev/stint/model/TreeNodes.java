package dev.stint.model;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the nodes of trees: objects whose members are a {@link MemberMap}. */
final class TreeNodes extends JsonNodeFactory {
  private static final long serialVersionUID = 1;

  @Override
  public ObjectNode objectNode() {
    return new TreeObject(this, new MemberMap());
  }

  private static final class TreeObject extends ObjectNode {
    private static final long serialVersionUID = 1;
    private final transient MemberMap members;

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
