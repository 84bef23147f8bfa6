package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class PodFailurePolicyRulesTest {
  private static final String AT = "spec.podFailurePolicy.rules[0]";

  @ParameterizedTest
  @CsvSource({
    "Count,",
    "FailJob,",
    "Ignore,",
    "FailIndex,Invalid",
    "Nope,NotSupported",
    "'\"\"',Required"
  })
  @Covers("BI-14")
  void anActionIsOneOfThreeAndFailIndexNeedsALimitPerIndex(String action, String cause) {
    List<String> faults = rule("action: " + action + ", onExitCodes: {operator: In, values: [1]}");
    assertThat(faults).isEqualTo(cause == null ? List.of() : List.of(AT + ".action " + cause));
  }

  @Test
  @Covers("BI-14")
  void failIndexIsAcceptedWithALimitPerIndex() {
    assertThat(
            JobFixtures.faults(
                "completionMode: Indexed",
                "completions: 3",
                "backoffLimitPerIndex: 1",
                "podFailurePolicy: {rules: [{action: FailIndex, onExitCodes: {operator: In, values:"
                    + " [42]}}]}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1, 2] | ",
        "[] | .values Invalid",
        "[3, 1] | .values Invalid",
        "[1, 1] | .values[1] Duplicate",
        "[0] | .values[0] Invalid",
        "[-1, 300] | "
      })
  void exitCodesAreDistinctIncreasingAndNotZeroWhereListed(String values, String fault) {
    assertThat(rule("action: FailJob, onExitCodes: {operator: In, values: " + values + "}"))
        .isEqualTo(fault == null ? List.of() : List.of(AT + ".onExitCodes" + fault));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DiskFull | OutOfMemory | ",
        "disk_full | a:b,c | ",
        "0 | 1 | ",
        "2 | '' | ",
        "'' | '' | ",
        "same | same | [1].name Duplicate",
        "1 | x | [0].name Invalid",
        "x | 0 | [1].name Invalid",
        "x | 00 | ",
        "01 | x | ",
        "disk-full | x | [0].name Invalid",
        "x: | x | [0].name Invalid"
      })
  void theNameOfARuleFitsIntoAReasonAndIsItsOwn(String first, String second, String fault) {
    assertThat(
            named(
                "{name: '%s', action: Ignore, onExitCodes: {operator: In, values: [1]}}"
                    .formatted(first),
                "{name: '%s', action: Ignore, onExitCodes: {operator: In, values: [2]}}"
                    .formatted(second)))
        .isEqualTo(fault == null ? List.of() : List.of("spec.podFailurePolicy.rules" + fault));
  }

  @Test
  void aNameLeavesRoomForTheRestOfItsReason() {
    String rule = "{name: %s, action: Ignore, onExitCodes: {operator: In, values: [1]}}";
    assertThat(named(rule.formatted("a".repeat(111)))).isEmpty();
    assertThat(named(rule.formatted("a".repeat(112)))).containsExactly(AT + ".name Invalid");
  }

  private static List<String> named(String... rules) {
    ObjectNode job =
        JobFixtures.written("podFailurePolicy: {rules: [" + String.join(", ", rules) + "]}");
    FeatureGates on = FeatureGates.DEFAULT.with(Gate.PodFailurePolicyName, true);
    return JobFixtures.causes(JobAdmission.create(job, JobFixtures.UID, on));
  }

  @Test
  void zeroIsAllowedWithNotIn() {
    assertThat(rule("action: FailJob, onExitCodes: {operator: NotIn, values: [0]}")).isEmpty();
  }

  @Test
  void thereAre255ExitCodesAtMost() {
    assertThat(rule("action: FailJob, onExitCodes: {operator: In, values: " + codes(255) + "}"))
        .isEmpty();
    assertThat(rule("action: FailJob, onExitCodes: {operator: In, values: " + codes(256) + "}"))
        .containsExactly(AT + ".onExitCodes.values TooMany");
  }

  @Test
  void aContainerMustBeOneOfThePods() {
    String codes = "operator: In, values: [1], containerName: ";
    assertThat(rule("action: FailJob, onExitCodes: {" + codes + "main}")).isEmpty();
    assertThat(rule("action: FailJob, onExitCodes: {" + codes + "nope}"))
        .containsExactly(AT + ".onExitCodes.containerName Invalid");
  }

  @Test
  void aRuleHasExitCodesOrConditionsButNotBoth() {
    assertThat(rule("action: Count")).containsExactly(AT + " Invalid");
    assertThat(
            rule(
                "action: Count, onExitCodes: {operator: In, values: [1]}, onPodConditions: [{type:"
                    + " X}]"))
        .containsExactly(AT + " Invalid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: DisruptionTarget | ",
        "type: X, status: Unknown | ",
        "type: X, status: Nope | status NotSupported",
        "type: \"\" | type Invalid",
        "type: bad type | type Invalid",
        "type: Custom.io/X | type Invalid"
      })
  void conditionsHaveATypeAndAStatus(String condition, String fault) {
    assertThat(rule("action: Ignore, onPodConditions: [{" + condition + "}]"))
        .isEqualTo(fault == null ? List.of() : List.of(AT + ".onPodConditions[0]." + fault));
  }

  @Test
  void podsMustNotRestartByThemselves() {
    ObjectNode job = JobFixtures.written("podFailurePolicy: {rules: []}");
    ((ObjectNode) job.at("/spec/template/spec")).put("restartPolicy", "OnFailure");
    assertThat(JobFixtures.causes(JobAdmission.create(job, JobFixtures.UID, FeatureGates.DEFAULT)))
        .containsExactly("spec.template.spec.restartPolicy Invalid");
  }

  @Test
  void replacementMustWaitForFailure() {
    assertThat(
            JobFixtures.faults("podReplacementPolicy: TerminatingOrFailed", "podFailurePolicy: {}"))
        .containsExactly("spec.podReplacementPolicy NotSupported");
  }

  @Test
  void itCannotBeChanged() {
    assertThat(
            JobUpdates.faults(
                JobFixtures.stored("podReplacementPolicy: Failed"),
                JobFixtures.stored(
                    "podReplacementPolicy: Failed", "podFailurePolicy: {rules: []}")))
        .containsExactly("spec.podFailurePolicy Invalid");
  }

  private static List<String> rule(String rule) {
    return JobFixtures.faults("podFailurePolicy: {rules: [{" + rule + "}]}");
  }

  private static String codes(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
