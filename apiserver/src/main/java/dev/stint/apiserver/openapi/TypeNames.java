package dev.stint.apiserver.openapi;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The full names of the schema's types, by which clients find them. */
final class TypeNames {
  static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
  static final String INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
  static final String TIME = META + "Time";
  static final String MICRO_TIME = META + "MicroTime";
  static final String LIST_META = META + "ListMeta";
  static final String STATUS = META + "Status";
  static final String PATCH = META + "Patch";

  private static final String CORE = "io.k8s.api.core.v1.";
  private static final String FLOW_CONTROL = "io.k8s.api.flowcontrol.v1.";

  /** Types outside of the core group, by package. */
  private static final Map<String, List<String>> ELSEWHERE =
      Map.of(
          META,
          List.of(
              "ObjectMeta",
              "LabelSelector",
              "LabelSelectorRequirement",
              "ManagedFieldsEntry",
              "OwnerReference",
              "DeleteOptions",
              "Preconditions"),
          "io.k8s.api.batch.v1.",
          List.of(
              "Job",
              "JobSpec",
              "JobStatus",
              "JobCondition",
              "JobTemplateSpec",
              "CronJob",
              "CronJobSpec",
              "CronJobStatus",
              "UncountedTerminatedPods",
              "SuccessPolicy",
              "SuccessPolicyRule",
              "PodFailurePolicy",
              "PodFailurePolicyRule",
              "PodFailurePolicyOnExitCodesRequirement",
              "PodFailurePolicyOnPodConditionsPattern"),
          "io.k8s.api.coordination.v1.",
          List.of("Lease", "LeaseSpec"),
          "io.k8s.api.scheduling.v1.",
          List.of("PriorityClass"),
          "io.k8s.api.rbac.v1.",
          List.of(
              "Role",
              "ClusterRole",
              "RoleBinding",
              "ClusterRoleBinding",
              "PolicyRule",
              "AggregationRule",
              "RoleRef",
              "Subject"),
          "io.k8s.api.authorization.v1.",
          List.of(
              "SubjectAccessReview",
              "LocalSubjectAccessReview",
              "SelfSubjectAccessReview",
              "SelfSubjectRulesReview",
              "SubjectAccessReviewSpec",
              "SelfSubjectAccessReviewSpec",
              "SelfSubjectRulesReviewSpec",
              "SubjectAccessReviewStatus",
              "SubjectRulesReviewStatus",
              "NonResourceRule",
              "ResourceRule",
              "NonResourceAttributes",
              "ResourceAttributes"),
          "io.k8s.api.authentication.v1.",
          List.of(
              "TokenReview",
              "TokenReviewSpec",
              "TokenReviewStatus",
              "UserInfo",
              "SelfSubjectReview",
              "SelfSubjectReviewStatus",
              "TokenRequest",
              "TokenRequestSpec",
              "TokenRequestStatus",
              "BoundObjectReference"),
          FLOW_CONTROL,
          List.of(
              "FlowSchema",
              "FlowSchemaSpec",
              "FlowSchemaStatus",
              "FlowSchemaCondition",
              "FlowDistinguisherMethod",
              "PolicyRulesWithSubjects",
              "GroupSubject",
              "ServiceAccountSubject",
              "UserSubject",
              "ResourcePolicyRule",
              "NonResourcePolicyRule",
              "PriorityLevelConfiguration",
              "PriorityLevelConfigurationSpec",
              "PriorityLevelConfigurationStatus",
              "PriorityLevelConfigurationCondition",
              "PriorityLevelConfigurationReference",
              "ExemptPriorityLevelConfiguration",
              "LimitedPriorityLevelConfiguration",
              "LimitResponse",
              "QueuingConfiguration"),
          "io.k8s.api.policy.v1.",
          List.of("Eviction"));

  /** Types that share their name with a type of another group. */
  private static final Map<String, String> HOMONYMS =
      Map.of("EventsEvent", "io.k8s.api.events.v1.Event", "FlowSubject", FLOW_CONTROL + "Subject");

  private static final Map<String, String> FULL = full();

  private TypeNames() {}

  /** Returns the full name of a type of the schema, such as {@code io.k8s.api.batch.v1.JobSpec}. */
  static String of(String type) {
    return FULL.getOrDefault(type, CORE + type);
  }

  /** Returns the reference to a full name in a document. */
  static String reference(String fullName) {
    return "#/components/schemas/" + fullName;
  }

  private static Map<String, String> full() {
    Map<String, String> full = new HashMap<>(HOMONYMS);
    ELSEWHERE.forEach((where, types) -> types.forEach(type -> full.put(type, where + type)));
    return full;
  }
}
