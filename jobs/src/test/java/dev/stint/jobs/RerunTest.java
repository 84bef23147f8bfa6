package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.options.JobOptions;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RerunTest {
  private static KubeObject ended(String spec, String status) {
    return JobBuilder.indexed("hello")
        .uid("u")
        .label("app", "x")
        .label("batch.kubernetes.io/job-name", "hello")
        .annotation("mine", "y")
        .annotation("stint.dev/reported", "true")
        .completions(5)
        .selecting("batch.kubernetes.io/controller-uid", "u")
        .spec(
            "'template':{'metadata':{'labels':{'controller-uid':'u','tier':'z'}},'spec':{'containers':[]}}")
        .spec(spec)
        .condition("Failed", "BackoffLimitExceeded", "")
        .status(status)
        .build();
  }

  @Test
  void unsuccessfulIndexesRunAgainAndSuccessesAreKept() {
    Rerun rerun = Rerun.of(ended("", "'completedIndexes':'0,2'"), null, "again");
    assertThat(rerun.indexes()).hasToString("1,3,4");
    assertThat(rerun.kept()).hasToString("0,2");
    assertThat(rerun.lost().isEmpty()).isTrue();
  }

  @Test
  void theNewJobIsTheOldOneWithoutFieldsDerivedFromItsUid() {
    KubeObject again =
        KubeObject.of(Rerun.of(ended("", "'completedIndexes':'0,2'"), null, "again").document());
    assertThat(again.labels()).containsOnlyKeys("app");
    assertThat(again.annotations())
        .containsEntry("mine", "y")
        .containsEntry(RerunOrigin.OF, "hello")
        .containsEntry(RerunOrigin.UID, "u")
        .containsEntry(RerunOrigin.INDEXES, "1,3,4")
        .doesNotContainKey(RunAnnotations.REPORTED);
    assertThat(again.tree().at("/spec/selector").isMissingNode()).isTrue();
    assertThat(again.tree().at("/spec/template/metadata/labels")).hasToString("{\"tier\":\"z\"}");
    assertThat(RerunOrigin.of(again).orElseThrow().description())
        .isEqualTo("hello with indexes 1,3,4; the other successes are kept");
  }

  private static KubeObject rerun(String of, String name) {
    return JobBuilder.indexed(name).annotation(RerunOrigin.OF, of).build();
  }

  @Test
  void rerunsAreKnownByTheirOriginAlthoughTheirNamesAreCut() {
    String longest = "x".repeat(63);
    String first = Rerun.name(longest, _ -> false);
    String second = Rerun.name(first, first::equals);
    assertThat(Rerun.isRerunOf(longest, rerun(longest, first))).isTrue();
    assertThat(Rerun.isRerunOf(longest, rerun(first, second))).isTrue();
    assertThat(Rerun.isRerunOf("a", rerun("a-rerun-1", "a-rerun-2"))).isTrue();
    assertThat(Rerun.isRerunOf("a", rerun("a-rerun-1-rerun-1", "a-rerun-1-rerun-2"))).isFalse();
    assertThat(Rerun.isRerunOf("a", rerun("b", "a-rerun-1"))).isFalse();
    assertThat(Rerun.isRerunOf("a", JobBuilder.indexed("a-rerun-1").build())).isFalse();
  }

  @Test
  void anIndexThatSucceededMayRunAgain() {
    Rerun rerun = Rerun.of(ended("", "'completedIndexes':'0-4'"), IndexSet.of(2), "again");
    assertThat(rerun.kept()).hasToString("0,1,3,4");
  }

  @Test
  void indexesThatAreNotChosenStayFailed() {
    KubeObject job =
        ended("'backoffLimitPerIndex':1", "'completedIndexes':'0','failedIndexes':'1-4'");
    Rerun rerun = Rerun.of(job, IndexSet.of(1, 2), "again");
    assertThat(rerun.lost()).hasToString("3,4");
    assertThatThrownBy(() -> Rerun.of(ended("", "'completedIndexes':'0'"), IndexSet.of(1), "x"))
        .hasMessageContaining("indexes 2-4 of hello have not succeeded either");
    KubeObject strict =
        ended(
            "'backoffLimitPerIndex':1,'maxFailedIndexes':2",
            "'completedIndexes':'0','failedIndexes':'1-4'");
    assertThat(Rerun.of(strict, IndexSet.of(1, 2), "x").lost()).hasToString("3,4");
    assertThatThrownBy(() -> Rerun.of(strict, IndexSet.of(1), "x"))
        .hasMessageContaining("its maxFailedIndexes allows 2");
  }

  @Test
  void aRerunThatWouldSucceedAtOnceIsRefused() {
    KubeObject enough =
        ended(
            "'successPolicy':{'rules':[{'succeededIndexes':'4'},{'succeededCount':3}]}",
            "'completedIndexes':'0-2'");
    assertThatThrownBy(() -> Rerun.of(enough, null, "x"))
        .isInstanceOf(JobException.class)
        .hasMessage(
            "the kept successes of hello (indexes 0-2) meet its successPolicy, so the new Job would"
                + " be Complete at once; add some of them to the indexes");
    assertThat(Rerun.of(enough, IndexSet.range(2, 4), "x").kept()).hasToString("0,1");

    KubeObject led =
        ended("'successPolicy':{'rules':[{'succeededIndexes':'0'}]}", "'completedIndexes':'0'");
    assertThatThrownBy(() -> Rerun.of(led, null, "x")).hasMessageContaining("(index 0) meet");
    assertThat(Rerun.of(led, IndexSet.range(0, 4), "x").kept().isEmpty()).isTrue();
  }

  private static JobBuilder withGoal(String percentage) {
    return JobBuilder.indexed("hello")
        .completions(5)
        .annotation(JobOptions.SUCCESS_PERCENTAGE, percentage)
        .status("'completedIndexes':'0-2'");
  }

  @Test
  void aRerunThatWouldReachItsGoalAtOnceIsRefused() {
    KubeObject job = withGoal("60%").condition("Complete", "SuccessPolicy", "").build();
    assertThatThrownBy(() -> Rerun.of(job, null, "x"))
        .hasMessageContaining("(indexes 0-2) meet its stint.dev/success-percentage, so the new");
    assertThat(Rerun.of(job, IndexSet.range(2, 4), "x").kept()).hasToString("0,1");
    KubeObject more = withGoal("61%").condition("Complete", "SuccessPolicy", "").build();
    assertThat(Rerun.of(more, null, "x").kept()).hasToString("0-2");
  }

  @Test
  void aGoalThatItsControllerIgnoresRefusesNoRerun() {
    KubeObject failed = withGoal("60%").condition("Failed", "BackoffLimitExceeded", "").build();
    assertThat(Rerun.of(failed, null, "x").kept()).hasToString("0-2");
    KubeObject others =
        withGoal("60%")
            .managedBy("example.com/other")
            .condition("Complete", "CompletionsReached", "")
            .build();
    assertThat(Rerun.of(others, null, "x").kept()).hasToString("0-2");
  }

  @Test
  void impossibleRerunsAreRefused() {
    KubeObject running = JobBuilder.indexed("hello").completions(1).build();
    KubeObject plain = JobBuilder.named("hello").build();
    assertThatThrownBy(() -> Rerun.of(running, null, "x")).hasMessageContaining("is not finished");
    assertThatThrownBy(() -> Rerun.of(plain, null, "x"))
        .hasMessageContaining("is not an Indexed Job");
    assertThatThrownBy(() -> Rerun.of(ended("", "'completedIndexes':'0-4'"), null, "x"))
        .hasMessage("all indexes of hello have succeeded");
    assertThatThrownBy(() -> Rerun.of(ended("", ""), IndexSet.of(5), "x"))
        .hasMessage("hello has no index 5; its last one is 4");
  }

  @Test
  void namesAreNumbered() {
    assertThat(Rerun.name("hello", Set.of()::contains)).isEqualTo("hello-rerun-1");
    assertThat(Rerun.name("hello-rerun-1", Set.of("hello-rerun-1")::contains))
        .isEqualTo("hello-rerun-2");
    assertThat(Rerun.name("x".repeat(63), Set.of()::contains)).hasSize(63).endsWith("x-rerun-1");
  }

  @Test
  void aJobThatGoesOnKeepsSuccessesAndNamesTheirJob() {
    KubeObject from = ended("", "'completedIndexes':'0-4'");
    Rerun rest = Rerun.continuing(from.copy(), from, IndexSet.of(3), IndexSet.of(0, 1, 2, 4));
    assertThat(RerunOrigin.of(KubeObject.of(rest.document())).orElseThrow().description())
        .isEqualTo("hello with index 3; the other successes are kept");
    Rerun none = Rerun.continuing(from.copy(), from, IndexSet.EMPTY, IndexSet.range(0, 4));
    assertThat(RerunOrigin.of(KubeObject.of(none.document())).orElseThrow().description())
        .isEqualTo("hello; its successes are kept");
  }
}
