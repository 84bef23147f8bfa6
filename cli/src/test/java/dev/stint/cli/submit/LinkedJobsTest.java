package dev.stint.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.jobs.JobEdit;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class LinkedJobsTest {
  private static RequestedJob job(String name, String after) {
    String annotations =
        after.isEmpty() ? "" : "annotations: {stint.dev/after: \"" + after + "\"}, ";
    String text = "{kind: Job, metadata: {" + annotations + "name: " + name + "}, spec: {}}";
    try {
      return RequestedJob.of(
          Documents.read("jobs.yaml", text.getBytes(StandardCharsets.UTF_8)).getFirst());
    } catch (DocumentSyntaxException fault) {
      throw new AssertionError(fault);
    }
  }

  /** Returns what becomes of a Job that has ended and was reported. */
  private static RunDecision anew(RequestedJob requested, String condition) {
    JobBuilder ended =
        JobBuilder.named(requested.name())
            .annotation(RunAnnotations.DOCUMENT, requested.digest())
            .condition(condition, "", "");
    String inputs = requested.inputs();
    if (inputs != null) {
      ended.annotation(RunAnnotations.INPUTS, inputs);
    }
    return new RunDecision.StartAnew(ended.build(), "starts anew");
  }

  private static final RequestedJob EXTRACT = job("extract", "");
  private static final RequestedJob LOAD = job("load", "extract");
  private static final RequestedJob OTHER = job("other", "");
  private static final RequestedJob REPORT = job("report", "load");

  @Test
  void predecessorsAreSubmittedFirst() {
    assertThat(new LinkedJobs(List.of(LOAD, OTHER, EXTRACT)).order()).containsExactly(1, 2, 0);
  }

  @Test
  void whatIsCompleteStaysUntilAllOfItIs() {
    LinkedJobs jobs = new LinkedJobs(List.of(EXTRACT, LOAD, OTHER));
    List<RunDecision> failed =
        List.of(anew(EXTRACT, "Complete"), anew(LOAD, "Failed"), anew(OTHER, "Complete"));
    assertThat(jobs.keepComplete(failed))
        .satisfiesExactly(
            extract -> assertThat(extract).isInstanceOf(RunDecision.Done.class),
            load -> assertThat(load).isSameAs(failed.get(1)),
            other -> assertThat(other).as("it is linked to none").isSameAs(failed.get(2)));
    List<RunDecision> complete =
        List.of(anew(EXTRACT, "Complete"), anew(LOAD, "Complete"), anew(OTHER, "Complete"));
    assertThat(jobs.keepComplete(complete)).isEqualTo(complete);
  }

  @Test
  void aChangedJobStartsAnew() {
    RunDecision changed = anew(job("extract", "other"), "Complete");
    assertThat(
            new LinkedJobs(List.of(EXTRACT, LOAD))
                .keepComplete(List.of(changed, new RunDecision.Create())))
        .first()
        .isSameAs(changed);
  }

  @Test
  void aCompleteJobOfOtherInputsStartsAnew() {
    RunDecision extract = anew(EXTRACT.withInputs("before"), "Complete");
    assertThat(
            new LinkedJobs(List.of(EXTRACT.withInputs("after"), LOAD))
                .keepComplete(List.of(extract, anew(LOAD, "Failed"))))
        .first()
        .isSameAs(extract);
  }

  /** Its results are those of the former predecessor. */
  @Test
  void aCompleteJobStartsAnewAfterOneThatHasChanged() {
    LinkedJobs jobs = new LinkedJobs(List.of(REPORT, LOAD, EXTRACT));
    List<RunDecision> decisions =
        List.of(
            anew(REPORT, "Failed"),
            anew(LOAD, "Complete"),
            anew(job("extract", "other"), "Complete"));
    assertThat(jobs.keepComplete(decisions)).isEqualTo(decisions);
  }

  @Test
  void aCompleteJobStartsAnewAfterOneThatIsGone() {
    LinkedJobs jobs = new LinkedJobs(List.of(EXTRACT, LOAD, REPORT));
    List<RunDecision> decisions =
        List.of(new RunDecision.Create(), anew(LOAD, "Complete"), anew(REPORT, "Complete"));
    assertThat(jobs.keepComplete(decisions)).isEqualTo(decisions);
  }

  @Test
  void aCompleteJobStartsAnewAfterOneThatRunsOrHasFailed() {
    LinkedJobs jobs = new LinkedJobs(List.of(EXTRACT, LOAD));
    RunDecision load = anew(LOAD, "Complete");
    assertThat(jobs.keepComplete(List.of(anew(EXTRACT, "Failed"), load))).last().isSameAs(load);
    KubeObject complete = JobBuilder.named("load").condition("Complete", "", "").build();
    RunDecision unreported =
        new RunDecision.Report(with(complete, "status", "completionTime", "2026-01-01T10:00:00Z"));
    assertThat(jobs.keepComplete(List.of(goesOn("2026-01-01T10:00:01Z"), unreported)))
        .last()
        .isInstanceOf(RunDecision.StartAnew.class);
  }

  /** As with {@code =index} and fewer indexes, or once somebody has resumed it by hand. */
  @Test
  void aCompleteJobStaysAfterOneThatItHasSeenRunning() {
    LinkedJobs jobs = new LinkedJobs(List.of(EXTRACT, LOAD));
    KubeObject complete = JobBuilder.named("load").condition("Complete", "", "").build();
    RunDecision unreported =
        new RunDecision.Report(with(complete, "status", "completionTime", "2026-01-01T10:00:00Z"));
    assertThat(jobs.keepComplete(List.of(goesOn("2026-01-01T09:00:00Z"), unreported)))
        .last()
        .isSameAs(unreported);
    assertThat(jobs.keepComplete(List.of(goesOn("2026-01-01T09:00:00Z"), anew(LOAD, "Complete"))))
        .last()
        .isInstanceOf(RunDecision.Done.class);
  }

  private static RunDecision goesOn(String created) {
    KubeObject running =
        with(JobBuilder.named("extract").build(), "metadata", "creationTimestamp", created);
    return new RunDecision.Resume(JobEdit.none(running, FeatureGates.DEFAULT), false);
  }

  private static KubeObject with(KubeObject job, String part, String member, String value) {
    ObjectNode tree = job.copy();
    tree.withObjectProperty(part).put(member, value);
    return KubeObject.of(tree);
  }

  @Test
  void aCompleteJobStaysAfterOneWhoseFailureItHasSeen() {
    RequestedJob either = job("either", "extract=Finished");
    LinkedJobs jobs = new LinkedJobs(List.of(EXTRACT, either));
    RunDecision complete = anew(either, "Complete");
    assertThat(jobs.keepComplete(List.of(anew(EXTRACT, "Failed"), complete)))
        .last()
        .isInstanceOf(RunDecision.Done.class);
    assertThat(jobs.keepComplete(List.of(new RunDecision.Create(), complete)))
        .last()
        .isSameAs(complete);
  }

  @Test
  void anOutcomeThatIsOfAnEarlierPredecessorIsNotReported() {
    LinkedJobs jobs = new LinkedJobs(List.of(EXTRACT, LOAD));
    KubeObject complete = JobBuilder.named("load").condition("Complete", "", "").build();
    RunDecision unreported = new RunDecision.Report(complete);
    assertThat(jobs.keepComplete(List.of(new RunDecision.Create(), unreported)))
        .last()
        .isEqualTo(
            new RunDecision.StartAnew(complete, "starts anew, as a Job does that it starts after"));
    assertThat(jobs.keepComplete(List.of(anew(EXTRACT, "Complete"), unreported)))
        .last()
        .isSameAs(unreported);
  }

  @Test
  void aPredecessorIsRequestedOrExists() {
    LinkedJobs jobs = new LinkedJobs(List.of(LOAD));
    assertThat(jobs.missing(_ -> true)).isEmpty();
    assertThat(jobs.missing(_ -> false))
        .containsExactly(
            "jobs.yaml:1: metadata.annotations[stint.dev/after]: Job \"extract\" is neither in"
                + " these files nor in namespace default");
  }
}
