package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.support.SupportWarnings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What kinds have in common of which the API asks little but sound metadata. */
class PlainStrategy implements Strategy {
  private final Kind kind;

  PlainStrategy(Kind kind) {
    this.kind = kind;
  }

  @Override
  public final Kind kind() {
    return kind;
  }

  @Override
  public List<FieldError> create(ObjectNode object) {
    Faults faults = new Faults();
    metadata(At.root(object).get("metadata"), faults);
    return faults.list();
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    Faults faults = new Faults();
    metadata(At.root(before).get("metadata"), At.root(after).get("metadata"), faults);
    return faults.list();
  }

  /** Checks the metadata of a new object. */
  void metadata(At metadata, Faults faults) {
    if (kind.namespaced()) {
      MetadataRules.create(metadata, Formats::dnsSubdomain, faults);
    } else {
      MetadataRules.createWithoutNamespace(metadata, Formats::dnsSubdomain, faults);
    }
  }

  /** Checks the metadata of a changed object. */
  void metadata(At before, At after, Faults faults) {
    MetadataRules.update(before, after, Formats::dnsSubdomain, faults);
  }

  @Override
  public final List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    return SupportWarnings.of(kind, At.root(after));
  }
}
