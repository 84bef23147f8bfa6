package dev.stint.cli.validate;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.support.ConfigMapRules;
import dev.stint.model.support.SecretRules;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The refusals of Stint's API server and of that of a cluster when an object is created. */
final class ServerRefusals {
  /** 1.5 MiB, the limit of a cluster's store. */
  private static final int MOST_BYTES = 3 << 19;

  private ServerRefusals() {}

  static List<String> of(Document document) {
    KubeObject object = document.object();
    List<String> refusals = new ArrayList<>();
    int bytes = Json.bytes(object.tree()).length;
    if (bytes > MOST_BYTES) {
      refusals.add(
          "%s:%d: takes %d bytes; an API server stores at most %d in one object"
              .formatted(document.sourceName(), document.line(), bytes, MOST_BYTES));
    }
    ObjectNode copy = object.copy();
    ObjectNode metadata = copy.withObjectProperty("metadata");
    if (!metadata.has("namespace")) {
      metadata.put("namespace", "default");
    }
    faults(Kind.of(object.apiVersion(), object.kindName()).orElse(Kind.JOB), copy)
        .forEach(fault -> refusals.add(document.describe(fault)));
    return refusals;
  }

  private static List<FieldError> faults(Kind kind, ObjectNode object) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(object);
    if (kind.equals(Kind.CONFIG_MAP)) {
      MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
      ConfigMapRules.check(root, faults);
    } else if (kind.equals(Kind.SECRET)) {
      MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
      SecretRules.complete(object);
      SecretRules.check(root, faults);
    }
    return faults.list();
  }
}
