package dev.stint.apiserver.audit;

import dev.stint.apiserver.access.RequestAttributes;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which requests are recorded: the first rule that matches a request says how much of it. A
 * request that no rule matches is not recorded.
 */
public final class AuditPolicy {
  /** The policy without a policy file: who wrote, and who entered a container. */
  public static final AuditPolicy DEFAULT =
      AuditPolicyFile.parse(
          """
          apiVersion: audit.k8s.io/v1
          kind: Policy
          omitStages: [RequestReceived]
          rules:
          - level: Metadata
            resources: [{group: "", resources: [pods/exec, pods/attach, pods/portforward]}]
          - level: None
            verbs: [get, list, watch, head, options]
          - level: Metadata
          """);

  static final AuditPolicy NOTHING = new AuditPolicy(List.of(), Set.of(), false);

  private final List<AuditRule> rules;
  private final Set<AuditStage> omitStages;
  private final boolean omitManagedFields;

  AuditPolicy(List<AuditRule> rules, Set<AuditStage> omitStages, boolean omitManagedFields) {
    this.rules = List.copyOf(rules);
    this.omitStages = Set.copyOf(omitStages);
    this.omitManagedFields = omitManagedFields;
  }

  /** The level at which a request is recorded, and the stages that are left out. */
  record RequestAuditConfig(
      AuditLevel level, Set<AuditStage> omitStages, boolean omitManagedFields) {
    boolean includes(AuditStage stage) {
      return level != AuditLevel.NONE && !omitStages.contains(stage);
    }
  }

  /** Decides on a request of an authenticated user, whomever they impersonate. */
  RequestAuditConfig decide(RequestAttributes request) {
    for (AuditRule rule : rules) {
      if (rule.matches(request)) {
        Set<AuditStage> omitted = EnumSet.noneOf(AuditStage.class);
        omitted.addAll(omitStages);
        omitted.addAll(rule.omitStages());
        Boolean own = rule.omitManagedFields();
        return new RequestAuditConfig(rule.level(), omitted, own == null ? omitManagedFields : own);
      }
    }
    return new RequestAuditConfig(AuditLevel.NONE, omitStages, omitManagedFields);
  }
}
