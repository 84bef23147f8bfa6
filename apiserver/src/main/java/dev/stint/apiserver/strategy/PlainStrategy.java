package dev.stint.apiserver.strategy;

import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.support.SupportWarnings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The common strategy of kinds for which the API requires little but valid metadata. */
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
    FieldErrors faults = new FieldErrors();
    metadata(FieldPath.root(object).get("metadata"), faults);
    return faults.list();
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    metadata(FieldPath.root(before).get("metadata"), FieldPath.root(after).get("metadata"), faults);
    return faults.list();
  }

  /** Validates the metadata of a new object. */
  void metadata(FieldPath metadata, FieldErrors faults) {
    if (kind.namespaced()) {
      MetadataRules.create(metadata, Formats::dnsSubdomain, faults);
    } else {
      MetadataRules.createWithoutNamespace(metadata, Formats::dnsSubdomain, faults);
    }
  }

  /** Validates the metadata of a changed object. */
  void metadata(FieldPath before, FieldPath after, FieldErrors faults) {
    MetadataRules.update(before, after, Formats::dnsSubdomain, faults);
  }

  @Override
  public List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    return SupportWarnings.of(kind, FieldPath.root(after));
  }
}
