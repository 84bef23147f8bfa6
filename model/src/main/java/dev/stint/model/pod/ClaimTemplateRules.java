package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.LabelSelectorRules;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules of the claim template of an ephemeral volume. */
public final class ClaimTemplateRules {
  private static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");
  private static final Set<String> METADATA = Set.of("labels", "annotations");

  private ClaimTemplateRules() {}

  static void check(FieldPath template, FieldErrors faults) {
    if (!template.exists()) {
      return;
    }
    FieldPath metadata = template.get("metadata");
    MetadataRules.labelsAndAnnotations(metadata, faults);
    for (String member : metadata.node().propertyNames()) {
      if (!METADATA.contains(member) && isSet(metadata.get(member))) {
        // Kubernetes spells one of these paths differently.
        FieldPath place = metadata.get(member.equals("uid") ? "uID" : member);
        faults.forbidden(place.path(), "cannot be set: the claim is named after its pod");
      }
    }
    spec(template.get("spec"), faults);
  }

  /** True if a field has a value other than the zero value of an absent one. */
  private static boolean isSet(FieldPath field) {
    boolean zero =
        field.node().isString()
            ? field.isEmpty()
            : field.key().equals("generation") && field.count() == 0;
    return field.exists() && !zero;
  }

  /** Checks the specification of a claim. */
  public static void spec(FieldPath spec, FieldErrors faults) {
    accessModes(spec.get("accessModes"), faults);
    LabelSelectorRules.check(spec.get("selector"), faults);
    storage(spec.get("resources", "requests", "storage"), spec.get("resources"), faults);
    faults.notSupportedUnlessIn(spec.get("volumeMode"), VOLUME_MODES);
    for (String member : List.of("storageClassName", "volumeAttributesClassName")) {
      nameIfAny(spec.get(member), Formats::dnsSubdomain, faults);
    }
    dataSources(spec, faults);
  }

  private static void nameIfAny(
      FieldPath name, Function<String, @Nullable String> format, FieldErrors faults) {
    if (!name.isEmpty()) {
      faults.invalidUnlessSound(name, format.apply(name.text()));
    }
  }

  /**
   * Checks that the old and the new field name the same source, unless that is in another
   * namespace.
   */
  private static void dataSources(FieldPath spec, FieldErrors faults) {
    FieldPath old = spec.get("dataSource");
    FieldPath source = spec.get("dataSourceRef");
    dataSource(old, faults);
    dataSource(source, faults);
    nameIfAny(source.get("namespace"), Formats::dnsLabel, faults);
    boolean elsewhere = !source.get("namespace").isEmpty();
    boolean same =
        Stream.of("apiGroup", "kind", "name").allMatch(m -> old.get(m).sameAs(source.get(m)));
    if (old.exists() && source.exists() && (elsewhere || !same)) {
      faults.invalid(spec.path(), "dataSource must be the same as dataSourceRef or left out");
    }
  }

  private static void accessModes(FieldPath modes, FieldErrors faults) {
    if (modes.isEmpty()) {
      faults.required(modes, "needs at least one mode, such as ReadWriteOnce");
    }
    boolean single = false;
    for (FieldPath mode : modes.items()) {
      if (!ACCESS_MODES.contains(mode.text())) {
        faults.notSupported(modes.path(), mode.text(), ACCESS_MODES);
      }
      single |= mode.text().equals("ReadWriteOncePod");
    }
    if (single && modes.items().size() > 1) {
      faults.forbidden(modes, "ReadWriteOncePod excludes other modes");
    }
  }

  private static void storage(FieldPath storage, FieldPath resources, FieldErrors faults) {
    String path = resources.path() + "[storage]";
    Quantity amount = storage.exists() ? Quantity.parse(storage.text()) : null;
    if (!storage.exists()) {
      faults.required(path, "is required: how much storage, as requests.storage");
    } else if (amount != null && amount.value().signum() <= 0) {
      faults.invalid(path, storage.text() + " must be more than 0");
    }
  }

  private static void dataSource(FieldPath source, FieldErrors faults) {
    if (!source.exists()) {
      return;
    }
    for (String member : List.of("name", "kind")) {
      if (source.get(member).isEmpty()) {
        faults.required(source.get(member), "is required");
      }
    }
    nameIfAny(source.get("apiGroup"), Formats::dnsSubdomain, faults);
    boolean core = source.get("apiGroup").isEmpty();
    if (core && !source.get("kind").text().equals("PersistentVolumeClaim")) {
      faults.invalid(source.path(), "must be a PersistentVolumeClaim when there is no apiGroup");
    }
  }
}
