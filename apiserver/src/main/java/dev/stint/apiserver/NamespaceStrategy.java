package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import java.util.List;
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
