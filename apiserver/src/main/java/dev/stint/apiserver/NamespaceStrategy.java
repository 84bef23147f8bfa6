package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
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

  /** A namespace with the {@code spec.finalizers} of another document, and else as it is. */
  static ObjectNode finalizing(ObjectNode before, ObjectNode wanted) {
    ObjectNode after = Metadata.edit(before);
    ObjectNode spec = Json.object();
    ObjectNode old = Json.objectAt(before, "spec");
    if (old != null) {
      spec.setAll(old);
    }
    ArrayNode finalizers = Json.arrayAt(Json.objectAt(wanted, "spec"), "finalizers");
    spec.set("finalizers", finalizers == null ? Json.array() : finalizers.deepCopy());
    after.set("spec", spec);
    return after;
  }

  @Override
  public List<FieldError> create(ObjectNode namespace) {
    Faults faults = new Faults();
    At name = At.root(namespace).get("metadata", "name");
    if (name.isEmpty()) {
      faults.required(name, "is needed, or generateName");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    Metadata.of(namespace).withObjectProperty("labels").put(NAME_LABEL, name.text());
    namespace.putObject("status").put("phase", "Active");
    return faults.list();
  }
}
