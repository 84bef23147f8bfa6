package dev.stint.model.meta;

import dev.stint.model.Names;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Rules of {@code metadata} that hold for every kind. */
public final class MetadataRules {
  private static final int MAX_ANNOTATIONS = 256 << 10;
  private static final Set<String> PROPAGATION_FINALIZERS =
      Set.of(Names.ORPHAN_FINALIZER, Names.FOREGROUND_FINALIZER);
  private static final Set<String> STANDARD_FINALIZERS =
      Set.of(Names.ORPHAN_FINALIZER, Names.FOREGROUND_FINALIZER, "kubernetes");

  /** The members that a client may never change. */
  private static final List<String> IMMUTABLE =
      List.of(
          "name",
          "namespace",
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  private MetadataRules() {}

  /**
   * Checks the metadata of a new namespaced object.
   *
   * @param nameFormat describes the fault of a name; null if there is none
   */
  public static void create(
      FieldPath metadata, Function<String, @Nullable String> nameFormat, FieldErrors faults) {
    createWithAnyFinalizer(metadata, nameFormat, faults);
    finalizerDomains(metadata.get("finalizers"), faults);
  }

  /** Checks the metadata of a new namespaced object whose finalizers need no domain. */
  public static void createWithAnyFinalizer(
      FieldPath metadata, Function<String, @Nullable String> nameFormat, FieldErrors faults) {
    FieldPath namespace = metadata.get("namespace");
    if (namespace.isEmpty()) {
      faults.required(namespace, "is required");
    } else {
      faults.invalidUnlessSound(namespace, Formats.dnsLabel(namespace.text()));
    }
    named(metadata, nameFormat, faults);
  }

  /** Checks the metadata of a new object that has no namespace. */
  public static void createWithoutNamespace(
      FieldPath metadata, Function<String, @Nullable String> nameFormat, FieldErrors faults) {
    createClusterWide(metadata, nameFormat, faults);
    finalizerDomains(metadata.get("finalizers"), faults);
  }

  /** Checks the metadata of a new object without namespace whose finalizers need no domain. */
  public static void createClusterWide(
      FieldPath metadata, Function<String, @Nullable String> nameFormat, FieldErrors faults) {
    named(metadata, nameFormat, faults);
  }

  private static void named(
      FieldPath metadata, Function<String, @Nullable String> nameFormat, FieldErrors faults) {
    FieldPath name = metadata.get("name");
    if (name.isEmpty()) {
      faults.required(name, "name or generateName is required");
    } else {
      faults.invalidUnlessSound(name, nameFormat.apply(name.text()));
    }
    prefix(metadata, nameFormat, faults);
    faults.invalidIfNegative(metadata.get("generation"));
    common(metadata, _ -> true, faults);
  }

  /** Checks a prefix of generated names, which may end with one '-'. */
  private static void prefix(
      FieldPath metadata, Function<String, @Nullable String> nameFormat, FieldErrors faults) {
    FieldPath prefix = metadata.get("generateName");
    if (!prefix.isEmpty()) {
      String text = prefix.text();
      boolean dash = text.length() > 1 && text.endsWith("-");
      String judged = dash ? text.substring(0, text.length() - 2) + "a" : text;
      faults.invalidUnlessSound(prefix, nameFormat.apply(judged));
    }
  }

  /** Checks changed metadata of a kind whose own rules do not check names again. */
  public static void update(FieldPath before, FieldPath after, FieldErrors faults) {
    updateStatus(before, after, faults);
    if (isNew("finalizers", before, after) && addsFinalizers(before, after)) {
      finalizerDomains(after.get("finalizers"), faults);
    }
  }

  /**
   * Checks changed metadata of a kind whose updates are checked like new objects.
   *
   * @param nameFormat describes the fault of a name; null if there is none
   */
  public static void update(
      FieldPath before,
      FieldPath after,
      Function<String, @Nullable String> nameFormat,
      FieldErrors faults) {
    if (isNew("generateName", before, after)) {
      prefix(after, nameFormat, faults);
    }
    update(before, after, faults);
  }

  /**
   * Checks metadata changed by a write to a subresource, or by an update of an object whose
   * finalizers need no domain. {@link #update} accepts such existing finalizers, so that the object
   * can still be changed.
   */
  public static void updateStatus(FieldPath before, FieldPath after, FieldErrors faults) {
    if (isNew("generateName", before, after)) {
      prefix(after, Formats::pathSegment, faults);
    }
    common(after, member -> isNew(member, before, after), faults);
    for (String member : IMMUTABLE) {
      unchanged(before.get(member), after.get(member), faults);
    }
    if (after.get("generation").count() < before.get("generation").count()) {
      faults.invalid(after.get("generation"), "must not be decremented");
    }
    if (after.get("resourceVersion").isEmpty()) {
      faults.invalid(after.get("resourceVersion"), "must be specified for an update");
    }
  }

  /**
   * True if the request changed the member; unchanged members are the same node, and were checked
   * before.
   */
  private static boolean isNew(String member, FieldPath before, FieldPath after) {
    return after.get(member).node() != before.get(member).node();
  }

  private static boolean addsFinalizers(FieldPath before, FieldPath after) {
    List<FieldPath> added = after.get("finalizers").items();
    if (added.isEmpty()) {
      return false;
    }
    Set<String> known =
        before.get("finalizers").items().stream().map(FieldPath::text).collect(Collectors.toSet());
    return added.stream().anyMatch(name -> !known.contains(name.text()));
  }

  /** Checks labels and annotations of a template, at paths without "metadata". */
  public static void template(FieldPath template, FieldErrors faults) {
    FieldPath metadata = template.get("metadata");
    labels(template.path() + ".labels", metadata.get("labels"), faults);
    annotations(template.path() + ".annotations", metadata.get("annotations"), faults);
  }

  /** Checks the labels and annotations of an object to be created. */
  public static void labelsAndAnnotations(FieldPath metadata, FieldErrors faults) {
    labels(metadata.path() + ".labels", metadata.get("labels"), faults);
    annotations(metadata.path() + ".annotations", metadata.get("annotations"), faults);
  }

  /**
   * @param isNews selects the members to check
   */
  private static void common(FieldPath metadata, Predicate<String> isNews, FieldErrors faults) {
    if (isNews.test("labels")) {
      labels(metadata.path() + ".labels", metadata.get("labels"), faults);
    }
    if (isNews.test("annotations")) {
      annotations(metadata.path() + ".annotations", metadata.get("annotations"), faults);
    }
    if (isNews.test("ownerReferences")) {
      owners(metadata.get("ownerReferences"), faults);
    }
    if (isNews.test("finalizers")) {
      finalizers(metadata.get("finalizers"), faults);
    }
  }

  private static void labels(String path, FieldPath labels, FieldErrors faults) {
    for (FieldPath label : labels.entries()) {
      invalidUnlessSound(path, Formats.qualifiedName(label.key()), faults);
      invalidUnlessSound(path, Formats.labelValue(label.text()), faults);
    }
  }

  /** True if annotations are longer together than an object may have them. */
  public static boolean areTooLong(ObjectNode annotations) {
    long size = 0;
    for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
      size +=
          Formats.bytes(annotation.getKey()) + Formats.bytes(annotation.getValue().asString(""));
    }
    return size > MAX_ANNOTATIONS;
  }

  private static void annotations(String path, FieldPath annotations, FieldErrors faults) {
    long size = 0;
    for (FieldPath annotation : annotations.entries()) {
      invalidUnlessSound(
          path, Formats.qualifiedName(annotation.key().toLowerCase(Locale.ROOT)), faults);
      size += Formats.bytes(annotation.key()) + Formats.bytes(annotation.text());
    }
    if (size > MAX_ANNOTATIONS) {
      faults.tooLong(path, "has " + size + " bytes; at most 262144 are allowed");
    }
  }

  private static void owners(FieldPath owners, FieldErrors faults) {
    int controllers = 0;
    for (FieldPath item : owners.items()) {
      // Kubernetes reports these at the list.
      FieldPath owner = item.reportedAt(owners);
      for (String member : List.of("kind", "name", "uid")) {
        if (owner.get(member).isEmpty()) {
          faults.invalid(owner.get(member), "must not be empty");
        }
      }
      String version = owner.get("apiVersion").text();
      if (version.isEmpty()
          || version.endsWith("/")
          || version.indexOf('/') != version.lastIndexOf('/')) {
        faults.invalid(owner.get("apiVersion"), "must be a group and a version, such as batch/v1");
      } else if (version.equals("v1") && owner.get("kind").text().equals("Event")) {
        faults.invalid(owners, "an Event cannot own anything");
      }
      controllers += owner.get("controller").isTrue() ? 1 : 0;
    }
    if (controllers > 1) {
      faults.invalid(owners, "only one owner may be the controller");
    }
  }

  /** Checks the form of finalizers; Kubernetes reports it at the list. */
  private static void finalizers(FieldPath finalizers, FieldErrors faults) {
    int propagation = 0;
    for (FieldPath finalizer : finalizers.items()) {
      faults.invalidUnlessSound(
          finalizer.reportedAt(finalizers), Formats.qualifiedName(finalizer.text()));
      propagation += PROPAGATION_FINALIZERS.contains(finalizer.text()) ? 1 : 0;
    }
    if (propagation > 1) {
      faults.invalid(finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
    }
  }

  private static void finalizerDomains(FieldPath finalizers, FieldErrors faults) {
    finalizers.items().forEach(finalizer -> finalizerDomain(finalizer.text(), finalizer, faults));
  }

  /**
   * Checks that a finalizer is one of Kubernetes' own, or has a domain.
   *
   * @param at the path at which to report the fault
   */
  public static void finalizerDomain(String finalizer, FieldPath at, FieldErrors faults) {
    if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
      faults.invalid(at, "name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  private static void unchanged(FieldPath before, FieldPath after, FieldErrors faults) {
    if (!before.sameAs(after)) {
      faults.invalid(after, "field is immutable");
    }
  }

  private static void invalidUnlessSound(
      String path, @Nullable String complaint, FieldErrors faults) {
    if (complaint != null) {
      faults.invalid(path, complaint);
    }
  }
}
