package dev.stint.model.support;

import static dev.stint.model.support.RuleTexts.json;
import static dev.stint.model.support.RuleTexts.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Leases, priority classes and nodes that cannot mean anything are refused. */
class SupportRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} |",
        "{'holderIdentity':'','leaseDurationSeconds':1,'leaseTransitions':0} |",
        "{'leaseDurationSeconds':0} | leaseDurationSeconds INVALID",
        "{'leaseDurationSeconds':-1} | leaseDurationSeconds INVALID",
        "{'leaseTransitions':-1} | leaseTransitions INVALID",
        "{'preferredHolder':'x'} | preferredHolder FORBIDDEN",
        "{'preferredHolder':'x','strategy':'OldestEmulationVersion'} |",
      })
  void leases(String spec, @Nullable String faults) {
    FieldErrors found = new FieldErrors();
    LeaseRules.check(FieldPath.root(json(spec)), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  @Test
  void aLeaseHasAStrategyOnlyWhereTheGateIsOnOrTheStoredOneHasIt() {
    FeatureGates off = FeatureGates.DEFAULT;
    FeatureGates on = off.with(Gate.CoordinatedLeaderElection, true);
    String coordinated = "{'spec':{'strategy':'x','preferredHolder':'y'}}";
    assertThat(lease(coordinated, null, off)).isEqualTo(json("{'spec':{}}"));
    assertThat(lease(coordinated, null, on)).isEqualTo(json(coordinated));
    assertThat(lease(coordinated, coordinated, off)).isEqualTo(json(coordinated));
    assertThat(lease(coordinated, "{'spec':{'strategy':'z'}}", off))
        .isEqualTo(json("{'spec':{'strategy':'x'}}"));
    assertThat(lease("{}", "{}", off)).isEqualTo(json("{}"));
  }

  @Test
  void anEmptyPreemptionPolicyIsNone() {
    FieldErrors found = new FieldErrors();
    PriorityClassRules.create(
        FieldPath.root(json("{'metadata':{'name':'x'},'value':1,'preemptionPolicy':''}")), found);
    assertThat(words(found)).isEqualTo("preemptionPolicy REQUIRED");
  }

  private static ObjectNode lease(String given, @Nullable String stored, FeatureGates gates) {
    ObjectNode lease = json(given);
    LeaseRules.dropGated(lease, stored == null ? null : json(stored), gates);
    return lease;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "high | 1000000000 | Never |",
        "low | -2147483648 | PreemptLowerPriority |",
        "high | 1000000001 | Never | value FORBIDDEN",
        "system-x | 1 | Never | metadata.name FORBIDDEN",
        "system-node-critical | 2000001000 | Never |",
        "system-node-critical | 2000000000 | Never | metadata.name FORBIDDEN",
        "x | 1 | Always | preemptionPolicy NOT_SUPPORTED",
      })
  void priorityClasses(String name, int value, String policy, @Nullable String faults) {
    FieldErrors found = new FieldErrors();
    PriorityClassRules.create(FieldPath.root(priority(name, value, policy)), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  @Test
  void aPriorityStaysWhatItIs() {
    FieldErrors none = new FieldErrors();
    FieldPath before = FieldPath.root(priority("x", 1, "Never"));
    PriorityClassRules.update(before, FieldPath.root(priority("x", 1, "Never")), none);
    assertThat(words(none)).isEmpty();
    FieldErrors both = new FieldErrors();
    PriorityClassRules.update(
        before, FieldPath.root(priority("x", 2, "PreemptLowerPriority")), both);
    assertThat(words(both)).isEqualTo("preemptionPolicy INVALID, value FORBIDDEN");
  }

  @Test
  void aPriorityThatSaysNothingOfPreemptionPreempts() {
    ObjectNode given = json("{}");
    PriorityClassRules.complete(given);
    assertThat(given.at("/preemptionPolicy").stringValue()).isEqualTo("PreemptLowerPriority");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'key':'a','effect':'NoSchedule'},{'key':'a','effect':'NoExecute'} |",
        "{'key':'x.io/a','value':'b','effect':'NoSchedule'} |",
        "{'key':'','effect':'NoSchedule'} | taints[0].key INVALID",
        "{'key':'a','value':'no value','effect':'NoSchedule'} | taints[0].value INVALID",
        "{'key':'a','effect':'Never'} | taints[0].effect NOT_SUPPORTED",
        "{'key':'a','effect':'NoExecute'},{'key':'a','effect':'NoExecute'} | taints[1] DUPLICATE",
      })
  void nodes(String taints, @Nullable String faults) {
    FieldErrors found = new FieldErrors();
    NodeRules.check(FieldPath.root(json("{'taints':[" + taints + "]}")), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  private static ObjectNode priority(String name, int value, String policy) {
    return json(
        "{'metadata':{'name':'%s'},'value':%d,'preemptionPolicy':'%s'}"
            .formatted(name, value, policy));
  }
}
