package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobExplanationTest {
  private static KubeObject job(String spec, String status) {
    return JobBuilder.named("hello").spec(spec).status(status).build();
  }

  private static KubeObject failed(String reason, String spec, String status) {
    return JobBuilder.indexed("hello")
        .completions(9)
        .spec(spec)
        .condition("FailureTarget", reason, "m")
        .condition("Failed", reason, "m")
        .status(status)
        .build();
  }

  private static List<String> why(KubeObject job) {
    return JobExplanation.of(job, List.of(), List.of());
  }

  @Test
  void failuresAreExplainedByTheirPolicy() {
    assertThat(why(failed("BackoffLimitExceeded", "'backoffLimit':2", "'failed':3")))
        .containsExactly("3 pods failed; its backoffLimit allows 2");
    assertThat(why(failed("DeadlineExceeded", "'activeDeadlineSeconds':60", "")))
        .containsExactly("it was active for longer than its activeDeadlineSeconds: 60");
    assertThat(why(failed("PodFailurePolicy", "", "")))
        .containsExactly("a rule of its podFailurePolicy ended it: m");
    assertThat(why(failed("PodFailurePolicy_Full", "", "")))
        .containsExactly("rule Full of its podFailurePolicy ended it: m");
    assertThat(why(failed("FailedIndexes", "'backoffLimitPerIndex':1", "'failedIndexes':'3,7-9'")))
        .containsExactly(
            "indexes 3,7-9 failed for good: each may be retried 1 time (backoffLimitPerIndex)");
    assertThat(
            why(
                failed(
                    "FailedIndexes",
                    """
                    "backoffLimitPerIndex":3,"podFailurePolicy":{"rules":[{"action":"FailIndex",
                      "onExitCodes":{"operator":"In","values":[42]}}]}
                    """,
                    "'failedIndexes':'3'")))
        .containsExactly(
            "index 3 failed for good: each may be retried 3 times (backoffLimitPerIndex),"
                + " unless its podFailurePolicy says FailIndex");
    assertThat(
            why(
                failed(
                    "MaxFailedIndexesExceeded",
                    "'backoffLimitPerIndex':0,'maxFailedIndexes':0",
                    "'failedIndexes':'3'")))
        .containsExactly("index 3 failed for good; its maxFailedIndexes allows 0");
    assertThat(why(failed("Cancelled", "", ""))).containsExactly("m");
    assertThat(why(failed("SomethingElse", "", ""))).containsExactly("SomethingElse: m");
  }

  @Test
  void aJobThatStopsItsPodsIsExplained() {
    KubeObject job =
        job(
            "",
            """
            "active":2,"terminating":1,
            "conditions":[{"type":"FailureTarget","status":"True","reason":"Cancelled","message":"m"}]
            """);
    assertThat(why(job)).containsExactly("m", "waiting for 3 pods to stop");
    assertThat(JobState.of(job)).isEqualTo(JobState.FAILING);
  }

  @Test
  void reasonsForNotRunningAreExplained() {
    assertThat(why(job("'suspend':true,'managedBy':'a.b/c'", "")))
        .containsExactly(
            "its spec.managedBy assigns it to a.b/c",
            "it is suspended: no pods run until it is resumed");
    String noWorker =
        "'conditions':[{'type':'stint.dev/Mirrored','status':'False','reason':'NoWorker','message':'m'}]";
    assertThat(why(job("'managedBy':'a.b/c'", noWorker)))
        .containsExactly("its spec.managedBy assigns it to a.b/c", "NoWorker: m");
    String since = noWorker.replace("'}]", "','lastTransitionTime':'2026-01-01T00:00:00Z'}]");
    assertThat(why(job("", since)))
        .containsExactly("NoWorker: m (not mirrored since 2026-01-01T00:00:00Z)");
    assertThat(why(job("'backoffLimit':6", "'failed':1,'active':1")))
        .containsExactly("1 pod has failed; more than 6 (backoffLimit) would fail the Job");
    assertThat(why(job("", "'active':1"))).isEmpty();
  }

  @Test
  void anEarlySuccessPolicyIsExplained() {
    KubeObject job =
        job(
            "'completions':9,'completionMode':'Indexed','successPolicy':{'rules':[{'succeededCount':1}]}",
            """
            "succeeded":1,"conditions":[{"type":"Complete","status":"True","reason":"SuccessPolicy","message":"rule 0"}]
            """);
    assertThat(why(job))
        .containsExactly("its successPolicy was met before all indexes had succeeded: rule 0");
  }

  private static KubeObject annotated(KubeObject job, String name, String value) {
    ObjectNode tree = job.tree().deepCopy();
    tree.withObjectProperty("metadata").withObjectProperty("annotations").put(name, value);
    return KubeObject.of(tree);
  }

  @Test
  void aGoalIsExplained() {
    KubeObject job =
        job(
            "'completions':9",
            """
            "succeeded":1,"conditions":[{"type":"Complete","status":"True","reason":"A","message":"Reached m"}]
            """);
    assertThat(why(job)).isEmpty();
    assertThat(why(annotated(job, "stint.dev/success-count", "1")))
        .containsExactly("enough had succeeded before all had: Reached m");
  }

  @Test
  void podsThatGoOnAreExplained() {
    String conditions =
        """
        "active":2,"succeeded":1,
        "conditions":[{"type":"SuccessCriteriaMet","status":"True","reason":"SuccessPolicy","message":"m"}%s]
        """;
    String ended =
        """
        ,{"type":"stint.dev/LingeringEnded","status":"True","reason":"r","message":"over"}\
        """;
    String spec = "'successPolicy':{'rules':[{'succeededCount':1}]}";
    KubeObject job = job(spec, conditions.formatted(""));
    assertThat(why(job)).containsExactly("waiting for 2 pods to stop");
    assertThat(why(annotated(job, "stint.dev/linger", "Continue")))
        .containsExactly("2 pods go on after the success (stint.dev/linger)");
    assertThat(
            why(annotated(job(spec, conditions.formatted(ended)), "stint.dev/linger", "Continue")))
        .containsExactly("its pods no longer go on: over", "waiting for 2 pods to stop");
  }

  @Test
  void allowedFailuresAreExplained() {
    KubeObject job =
        job(
            "'completions':9,'completionMode':'Indexed'",
            """
            "succeeded":8,"failedIndexes":"4",
            "conditions":[{"type":"Complete","status":"True","reason":"FailedIndexesAllowed","message":"m"}]
            """);
    assertThat(why(job)).containsExactly("it is complete in spite of failed indexes: m");
  }
}
