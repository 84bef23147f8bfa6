package dev.stint.apiserver.strategy;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.podsecurity.PodSecurityLabels;
import dev.stint.model.support.NamespaceRules;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of namespaces: they begin as active, are labelled with their name, and have a
 * finalizer of their own until they are empty.
 */
public final class NamespaceStrategy extends PlainStrategy {
  private static final List<List<String>> FILLED_IN = List.of(List.of("spec"));

  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final String FINALIZER = "kubernetes";

  /** The namespaces that the admission plugin NamespaceLifecycle protects. */
  private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

  public NamespaceStrategy() {
    super(Kind.NAMESPACE);
  }

  /** True if an object is a namespace that may never be deleted. */
  public static boolean isImmortal(ObjectRef ref) {
    return ref.kind().equals(Kind.NAMESPACE) && IMMORTAL.contains(ref.name());
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public List<List<String>> filledIn() {
    return FILLED_IN;
  }

  @Override
  public List<FieldError> create(ObjectNode namespace) {
    boolean generated = isGenerated(MetadataDefaults.of(namespace));
    if (!generated) {
      label(namespace);
    }
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(namespace);
    MetadataRules.createWithoutNamespace(root.get("metadata"), Formats::dnsLabel, faults);
    NamespaceRules.finalizers(root.get("spec", "finalizers"), faults);
    if (faults.isEmpty()) {
      PodSecurityLabels.check(null, root, faults);
    }
    if (generated) {
      label(namespace);
    }
    ObjectNode spec = Json.copyOf(Json.objectAt(namespace, "spec"));
    ArrayNode finalizers = Json.array();
    ArrayNode given = Json.arrayAt(spec, "finalizers");
    if (given != null) {
      given.forEach(finalizers::add);
    }
    if (finalizers.valueStream().noneMatch(one -> FINALIZER.equals(one.asString("")))) {
      finalizers.add(FINALIZER);
    }
    spec.set("finalizers", finalizers);
    namespace.set("spec", spec);
    namespace.putObject("status").put("phase", "Active");
    return faults.list();
  }

  /** Updates a namespace without its {@code spec}: requests of their own change its finalizers. */
  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    MetadataDefaults.copy("spec", before, after);
    label(after);
    FieldErrors faults = new FieldErrors();
    FieldPath old = FieldPath.root(before);
    FieldPath changed = FieldPath.root(after);
    MetadataRules.update(old.get("metadata"), changed.get("metadata"), Formats::dnsLabel, faults);
    if (faults.isEmpty()) {
      PodSecurityLabels.check(old, changed, faults);
    }
    return faults.list();
  }

  /** Updates the status. The phase must agree with whether the namespace is being deleted. */
  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    label(after);
    ObjectNode status = Json.objectAt(after, "status");
    String phase = Json.text(status, "phase");
    if (status != null && (phase == null || phase.isEmpty())) {
      phase = "Active";
      status.put("phase", phase);
    }
    FieldErrors faults = new FieldErrors();
    if (!(MetadataDefaults.isDeleting(after) ? "Terminating" : "Active").equals(phase)) {
      // Kubernetes spells this path with a capital.
      faults.invalid(
          "status.Phase",
          "must be Terminating while the namespace is being deleted, and Active before");
    }
    return faults.list();
  }

  @Override
  public List<FieldError> updateFinalizers(ObjectNode before, ObjectNode after) {
    label(after);
    FieldErrors faults = new FieldErrors();
    NamespaceRules.finalizers(FieldPath.root(after).get("spec", "finalizers"), faults);
    return faults.list();
  }

  @Override
  public boolean isHeld(ObjectNode namespace) {
    ArrayNode finalizers = Json.arrayAt(Json.objectAt(namespace, "spec"), "finalizers");
    return finalizers != null && !finalizers.isEmpty();
  }

  @Override
  public void markDeleting(ObjectNode namespace) {
    ObjectNode status = Json.copyOf(Json.objectAt(namespace, "status"));
    namespace.set("status", status.put("phase", "Terminating"));
  }

  /** True if the name was generated. The label of such a name is set only after validation. */
  private static boolean isGenerated(ObjectNode metadata) {
    String prefix = Json.text(metadata, "generateName");
    return prefix != null
        && Names.isGenerated(Objects.requireNonNull(Json.text(metadata, "name")), prefix);
  }

  private static void label(ObjectNode namespace) {
    ObjectNode metadata = MetadataDefaults.of(namespace);
    ObjectNode labels = Json.copyOf(Json.objectAt(metadata, "labels"));
    metadata.set("labels", labels.put(NAME_LABEL, Json.text(metadata, "name")));
  }
}
