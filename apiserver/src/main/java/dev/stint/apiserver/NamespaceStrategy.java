package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces: active once they exist, and labelled with their name. */
final class NamespaceStrategy extends PlainStrategy {
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  NamespaceStrategy() {
    super(Kind.NAMESPACE);
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public void prepareCreate(ObjectNode namespace) {
    ObjectNode metadata = Metadata.of(namespace);
    String name = Json.text(metadata, "name");
    if (name != null) {
      metadata.withObjectProperty("labels").put(NAME_LABEL, name);
    }
    namespace.putObject("status").put("phase", "Active");
  }
}
