package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldPath;
import dev.stint.model.podsecurity.CheckedPod;
import dev.stint.model.podsecurity.NamespacePolicy;
import dev.stint.model.podsecurity.NamespaceWarnings;
import dev.stint.model.podsecurity.PodChangeSignificance;
import dev.stint.model.podsecurity.PodSecurityDecision;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.store.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of pods and pod templates by the Pod Security Standards that the labels of their
 * namespace name, and of these labels.
 */
final class PodSecurityAdmission implements AdmissionStep {
  private final StoredObjects stored;
  private final PodSecuritySettings settings;

  PodSecurityAdmission(StoredObjects stored, PodSecuritySettings settings) {
    this.stored = stored;
    this.settings = settings;
  }

  @Override
  public void validateNew(ObjectRef ref, ObjectNode sent, ObjectNode after, WriteOptions options)
      throws ClusterException {
    check(ref, null, after, options);
  }

  @Override
  public void validateChange(
      ObjectRef ref, ObjectNode before, ObjectNode after, WriteOptions options)
      throws ClusterException {
    check(ref, before, after, options);
  }

  /**
   * Checks a valid new or changed object. Adds warnings and audit annotations to the request;
   * throws {@code FORBIDDEN} for a pod that violates the level that its namespace enforces.
   *
   * @param before null for a new object
   */
  private void check(
      ObjectRef ref, @Nullable ObjectNode before, ObjectNode after, WriteOptions options)
      throws ClusterException {
    if (ref.kind().equals(Kind.NAMESPACE)) {
      options.warn(() -> warnings(before, after));
    } else if (ref.kind().equals(Kind.POD)) {
      CheckedPod pod = CheckedPod.of(after);
      if (before == null || PodChangeSignificance.isSignificant(CheckedPod.of(before), pod)) {
        apply(ref, pod, options);
      }
    } else {
      CheckedPod template = template(ref.kind(), FieldPath.root(after));
      if (template != null) {
        apply(ref, template, options);
      }
    }
  }

  /** Returns the pod template of an object; null if its kind has none. */
  private static @Nullable CheckedPod template(Kind kind, FieldPath object) {
    if (kind.equals(Kind.JOB)) {
      return CheckedPod.of(object.get("spec", "template"));
    }
    return kind.equals(Kind.CRON_JOB)
        ? CheckedPod.of(object.get("spec", "jobTemplate", "spec", "template"))
        : null;
  }

  private void apply(ObjectRef ref, CheckedPod pod, WriteOptions options) {
    NamespacePolicy asked = policy(ref.namespace());
    NamespacePolicy policy = options.isObserved() ? asked : asked.enforcedOnly();
    if (policy.allowsAll()) {
      return;
    }
    PodSecurityDecision.Request request =
        new PodSecurityDecision.Request(options.user(), ref.namespace(), pod);
    PodSecurityDecision decision =
        ref.kind().equals(Kind.POD)
            ? PodSecurityDecision.ofPod(request, policy, settings)
            : PodSecurityDecision.ofTemplate(request, policy, settings);
    options.annotate(decision.annotations());
    options.warn(decision::warnings);
    if (!decision.refusal().isEmpty()) {
      throw ApiErrors.forbidden(ref, decision.refusal());
    }
  }

  private NamespacePolicy policy(String namespace) {
    Entry entry = stored.entry(new ObjectRef(Kind.NAMESPACE, "", namespace));
    return entry == null
        ? settings.defaults()
        : NamespacePolicy.of(stored.of(entry)::label, settings.defaults());
  }

  private List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    KubeObject namespace = KubeObject.of(after.deepCopy());
    return NamespaceWarnings.of(
        before == null ? null : KubeObject.of(before),
        namespace,
        () -> pods(namespace.name()),
        settings);
  }

  private List<KubeObject> pods(String namespace) {
    return stored.snapshot(Kind.POD, namespace).entries().stream()
        .map(stored.shared()::peek)
        .toList();
  }
}
