package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.PodFailurePolicy;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PodFailureRulesTest {
  private static PodFailurePolicy policy(String rules) {
    String spec = "{\"podFailurePolicy\":{\"rules\":[" + rules.replace('\'', '"') + "]}}";
    return Objects.requireNonNull(JobSpec.read(Json.parse(spec)).podFailurePolicy());
  }

  private static PodView failed(int exitCode, String conditions) {
    String pod =
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'default','uid':'u'},'status':{"
            + "'phase':'Failed','conditions':["
            + conditions
            + "],'containerStatuses':[{'name':'main','state':{'terminated':{'exitCode':"
            + exitCode
            + "}}}]}}";
    return PodView.of(KubeObject.of(Json.parse(pod.replace('\'', '"'))));
  }

  private static Action action(String rules, PodView pod) {
    return PodFailureRules.evaluate(policy(rules), pod, true).action();
  }

  @Test
  void theFirstRuleThatMatchesDecides() {
    String rules =
        "{'action':'Ignore','onExitCodes':{'operator':'In','values':[1,2]}},"
            + "{'action':'FailJob','onExitCodes':{'operator':'NotIn','values':[3]}}";
    assertThat(action(rules, failed(2, ""))).isEqualTo(Action.Ignore);
    assertThat(action(rules, failed(9, ""))).isEqualTo(Action.FailJob);
    assertThat(action(rules, failed(3, ""))).isEqualTo(Action.Count);
  }

  @Test
  void aRuleMayNameTheContainer() {
    String other =
        "{'action':'FailJob','onExitCodes':{'containerName':'other','operator':'In','values':[1]}}";
    assertThat(action(other, failed(1, ""))).isEqualTo(Action.Count);
    assertThat(action(other.replace("'other'", "'main'"), failed(1, ""))).isEqualTo(Action.FailJob);
  }

  @Test
  void aContainerThatSucceededMatchesNoExitCode() {
    assertThat(
            action(
                "{'action':'FailJob','onExitCodes':{'operator':'NotIn','values':[1]}}",
                failed(0, "")))
        .isEqualTo(Action.Count);
  }

  @Test
  void aRuleMayLookAtConditions() {
    String rule =
        "{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget','status':'True'}]}";
    assertThat(action(rule, failed(1, "{'type':'DisruptionTarget','status':'True'}")))
        .isEqualTo(Action.Ignore);
    assertThat(action(rule, failed(1, "{'type':'DisruptionTarget','status':'False'}")))
        .isEqualTo(Action.Count);
  }

  @Test
  @Covers("BI-56")
  void failIndexIsIgnoredWithoutALimitPerIndex() {
    String rules =
        "{'action':'FailIndex','onExitCodes':{'operator':'In','values':[1]}},"
            + "{'action':'Ignore','onExitCodes':{'operator':'In','values':[1]}}";
    assertThat(PodFailureRules.evaluate(policy(rules), failed(1, ""), true).action())
        .isEqualTo(Action.FailIndex);
    assertThat(PodFailureRules.evaluate(policy(rules), failed(1, ""), false).action())
        .isEqualTo(Action.Ignore);
  }

  @Test
  void theMessageNamesThePodTheContainerAndTheRule() {
    String rules =
        "{'action':'FailJob','onExitCodes':{'operator':'In','values':[42]}},"
            + "{'action':'FailJob','onPodConditions':[{'type':'Lost','status':'True'}]}";
    assertThat(PodFailureRules.evaluate(policy(rules), failed(42, ""), true).message())
        .isEqualTo(
            "Pod default/p failed: container main exited with code 42, matching FailJob rule at index 0");
    PodView lost = failed(1, "{'type':'Lost','status':'True'}");
    assertThat(PodFailureRules.evaluate(policy(rules), lost, true).message())
        .isEqualTo("Pod default/p has condition Lost, matching FailJob rule at index 1");
  }

  @Test
  void anOutcomeNamesTheRuleOrItsIndex() {
    String rules =
        "{'name':'DiskFull','action':'FailJob','onExitCodes':{'operator':'In','values':[1]}},"
            + "{'action':'FailJob','onExitCodes':{'operator':'In','values':[2]}}";
    assertThat(PodFailureRules.evaluate(policy(rules), failed(1, ""), true).rule())
        .isEqualTo("DiskFull");
    assertThat(PodFailureRules.evaluate(policy(rules), failed(2, ""), true).rule()).isEqualTo("1");
    assertThat(PodFailureRules.evaluate(policy(rules), failed(3, ""), true).rule()).isEmpty();
  }
}
