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
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

@Covers("SP-54")
class SuccessPolicyRulesTest {
  private static final String INDEXES = "spec.successPolicy.rules[0].succeededIndexes Invalid";
  private static final String COUNT = "spec.successPolicy.rules[0].succeededCount Invalid";

  @Test
  @Covers("SP-01")
  void aJobNeedsNoSuccessPolicy() {
    assertThat(JobFixtures.faults("completionMode: Indexed", "completions: 10")).isEmpty();
  }

  @Test
  @Covers("SP-02")
  void twentyRulesAreAllowedAndNotOneMore() {
    assertThat(indexed("rules: [" + rules(20) + "]")).isEmpty();
    assertThat(indexed("rules: [" + rules(21) + "]"))
        .containsExactly("spec.successPolicy.rules TooMany");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "rules: []", "rules: null"})
  @Covers("SP-03")
  void aPolicyNeedsARule(String policy) {
    assertThat(indexed(policy)).containsExactly("spec.successPolicy.rules Required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "succeededIndexes: null", "succeededCount: null"})
  @Covers("SP-04")
  void aRuleNeedsIndexesOrACount(String rule) {
    assertThat(rule(rule)).containsExactly("spec.successPolicy.rules[0] Required");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "1-",
        "-1",
        "1--2",
        " 1",
        "1, 2",
        ",",
        "1,",
        "3-1",
        "1-1",
        "5,3",
        "4294967296"
      })
  @Covers("SP-05")
  void malformedOrFallingIndexesAreRejected(String text) {
    assertThat(rule("succeededIndexes: \"" + text + "\"")).containsExactly(INDEXES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0,1", "1-3", "0-9", "1,3-5,7", "01", ""})
  @Covers({"SP-05", "SP-06", "SP-08"})
  void increasingIndexesBelowCompletionsAreAccepted(String text) {
    assertThat(rule("succeededIndexes: \"" + text + "\"")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-10", "a"})
  void indexesThatMakeNoSetCountAsNone(String text) {
    assertThat(rule("succeededIndexes: \"" + text + "\", succeededCount: 1"))
        .containsExactly(COUNT, INDEXES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "0-10", "1,99"})
  @Covers("SP-06")
  void indexesBeyondTheLastAreRejected(String text) {
    assertThat(rule("succeededIndexes: \"" + text + "\"")).containsExactly(INDEXES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,1", "1-3,3", "1-3,2-4"})
  @Covers("SP-07")
  void repeatedIndexesAreRejected(String text) {
    assertThat(rule("succeededIndexes: \"" + text + "\"")).containsExactly(INDEXES);
  }

  @Test
  @Covers("SP-09")
  void indexTextsHaveSixtyFourKibibytesAtMost() {
    String text =
        IntStream.iterate(100_000, i -> i + 2)
            .limit(9362)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    assertThat(huge(pad(text, 65_536))).isEmpty();
    assertThat(huge(pad(text, 65_537)))
        .containsExactly("spec.successPolicy.rules[0].succeededIndexes TooLong");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 10})
  @Covers("SP-10")
  void aCountFromZeroToCompletionsIsAccepted(int count) {
    assertThat(rule("succeededCount: " + count)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 11, Integer.MAX_VALUE})
  @Covers({"SP-10", "SP-11"})
  void aCountBelowZeroOrAboveCompletionsIsRejected(int count) {
    assertThat(rule("succeededCount: " + count)).containsExactly(COUNT);
  }

  @Test
  @Covers("SP-12")
  void aCountAboveTheNumberOfNamedIndexesIsRejected() {
    assertThat(rule("succeededIndexes: 0-3, succeededCount: 4")).isEmpty();
    assertThat(rule("succeededIndexes: 0-3, succeededCount: 5")).containsExactly(COUNT);
  }

  @Test
  @Covers("SP-14")
  void onlyIndexedJobsMayHaveOne() {
    String policy = "successPolicy: {rules: [{succeededCount: 1}]}";
    assertThat(JobFixtures.faults(policy)).containsExactly("spec.successPolicy Invalid");
    assertThat(JobFixtures.faults("completionMode: NonIndexed", policy))
        .containsExactly("spec.successPolicy Invalid");
  }

  @Test
  void anIndexedJobWithoutCompletionsIsAnsweredLikeAnyOther() {
    assertThat(
            JobFixtures.faults(
                "completionMode: Indexed",
                "parallelism: 2",
                "successPolicy: {rules: [{succeededIndexes: 0-3, succeededCount: 5}]}"))
        .containsExactly("spec.completions Required", COUNT);
  }

  @Test
  @Covers("SP-13")
  void itCanNeitherBeAddedNorEditedNorRemoved() {
    String[] base = {"completionMode: Indexed", "completions: 10"};
    ObjectNode without = JobFixtures.stored(base);
    ObjectNode with =
        JobFixtures.stored(base[0], base[1], "successPolicy: {rules: [{succeededCount: 1}]}");
    ObjectNode other =
        JobFixtures.stored(base[0], base[1], "successPolicy: {rules: [{succeededCount: 2}]}");
    assertThat(change(without, with)).containsExactly("spec.successPolicy Invalid");
    assertThat(change(with, other)).containsExactly("spec.successPolicy Invalid");
    assertThat(change(with, without)).containsExactly("spec.successPolicy Invalid");
    assertThat(change(with, with)).isEmpty();
  }

  @Test
  @Covers("SP-43")
  void withTheGateOffItIsDroppedFromNewJobsAndKeptInOldOnes() {
    FeatureGates off = FeatureGates.DEFAULT.with(Gate.JobSuccessPolicy, false);
    String[] lines = {
      "completionMode: Indexed", "completions: 10", "successPolicy: {rules: [{succeededCount: 1}]}"
    };
    ObjectNode created = JobFixtures.written(lines);
    assertThat(JobAdmission.create(created, JobFixtures.UID, off)).isEmpty();
    assertThat(created.get("spec").has("successPolicy")).isFalse();
    ObjectNode stored = JobFixtures.stored(lines);
    stored.withObjectProperty("metadata").put("resourceVersion", "1");
    ObjectNode changed = stored.deepCopy();
    assertThat(JobAdmission.update(stored, changed, off)).isEmpty();
    assertThat(changed.get("spec").has("successPolicy")).isTrue();
  }

  private static List<String> change(ObjectNode before, ObjectNode after) {
    return JobUpdates.faults(before, after);
  }

  private static List<String> indexed(String policy) {
    return JobFixtures.faults(
        "completionMode: Indexed",
        "completions: 10",
        "successPolicy: " + (policy.equals("{}") ? "{}" : "{" + policy + "}"));
  }

  private static List<String> rule(String rule) {
    return indexed("rules: [" + (rule.equals("{}") ? "{}" : "{" + rule + "}") + "]");
  }

  private static List<String> huge(String indexes) {
    return JobFixtures.faults(
        "completionMode: Indexed",
        "completions: 200000",
        "successPolicy: {rules: [{succeededIndexes: \"" + indexes + "\"}]}");
  }

  /** Indexes padded to a length by leading zeros, which are allowed. */
  private static String pad(String text, int length) {
    return "0".repeat(length - text.length() - 2) + "1," + text;
  }

  private static String rules(int count) {
    return "{succeededCount: 1},".repeat(count - 1) + "{succeededCount: 1}";
  }
}
