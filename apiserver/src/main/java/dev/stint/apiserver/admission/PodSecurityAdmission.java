package dev.stint.apiserver.admission;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.write.WriteOptions;
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
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of pods and pod templates by the Pod Security Standards that the labels of their
 * namespace name, and of these labels.
 */
public final class PodSecurityAdmission implements AdmissionStep {
  /** Pods, and the kinds of objects that have a pod template. */
  private static final Set<Kind> WITH_PODS = Set.of(Kind.POD, Kind.JOB, Kind.CRON_JOB);

  private final ObjectReader stored;
  private final PodSecuritySettings settings;

  public PodSecurityAdmission(ObjectReader stored, PodSecuritySettings settings) {
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
    } else if (WITH_PODS.contains(ref.kind())) {
      NamespacePolicy asked = policy(ref.namespace());
      NamespacePolicy policy = options.isObserved() ? asked : asked.enforcedOnly();
      if (!policy.allowsAll()) {
        apply(ref, before, after, policy, options);
      }
    }
  }

  private void apply(
      ObjectRef ref,
      @Nullable ObjectNode before,
      ObjectNode after,
      NamespacePolicy policy,
      WriteOptions options) {
    boolean isPod = ref.kind().equals(Kind.POD);
    CheckedPod pod = isPod ? CheckedPod.of(after) : template(ref.kind(), FieldPath.root(after));
    if (isPod
        && before != null
        && !PodChangeSignificance.isSignificant(CheckedPod.of(before), pod)) {
      return;
    }
    PodSecurityDecision.Request request =
        new PodSecurityDecision.Request(options.user(), ref.namespace(), pod);
    PodSecurityDecision decision =
        isPod
            ? PodSecurityDecision.ofPod(request, policy, settings)
            : PodSecurityDecision.ofTemplate(request, policy, settings);
    options.annotate(decision.annotations());
    options.warn(decision::warnings);
    if (!decision.refusal().isEmpty()) {
      throw ApiErrors.forbidden(ref, decision.refusal());
    }
  }

  /** Returns the pod template of a Job or CronJob. */
  private static CheckedPod template(Kind kind, FieldPath object) {
    return CheckedPod.of(
        kind.equals(Kind.JOB)
            ? object.get("spec", "template")
            : object.get("spec", "jobTemplate", "spec", "template"));
  }

  private NamespacePolicy policy(String namespace) {
    KubeObject found = stored.object(new ObjectRef(Kind.NAMESPACE, "", namespace));
    return found == null
        ? settings.defaults()
        : NamespacePolicy.of(found::label, settings.defaults());
  }

  private List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    KubeObject namespace = KubeObject.of(after.deepCopy());
    return NamespaceWarnings.of(
        before == null ? null : KubeObject.of(before),
        namespace,
        () -> stored.objects(Kind.POD, namespace.name()),
        settings);
  }
}
