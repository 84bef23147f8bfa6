package dev.stint.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.follow.FollowOptions;
import dev.stint.cli.follow.RunEnd;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.UserException;
import dev.stint.cli.share.TestMachine;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.RequestedInput;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.embedded.share.JobClaim;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.Fault;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Documents;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimedSubmissionTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
  private final RunEnd end = new RunEnd();
  private final JobsInterruption interruption = new JobsInterruption(cluster);
  private CompletableFuture<?> free = CompletableFuture.completedFuture(null);

  private ClaimedSubmission submission(ExistingJobs existing) {
    return submission(existing, List.of());
  }

  private ClaimedSubmission submission(ExistingJobs existing, List<RequestedInput> inputs) {
    RunSession.Options options =
        new RunSession.Options(
            TestMachine.options(), existing, inputs, FollowOptions.of(OutputFormat.text));
    return new ClaimedSubmission(
        Console.ofProcess(),
        options,
        new JoinedWorkplace(cluster, free, new CompletableFuture<>()),
        (_, _) -> () -> {},
        InstantSource.system(),
        interruption,
        end);
  }

  private static List<RequestedJob> requested(String... names) {
    String documents = Stream.of(names).map(ClaimedSubmissionTest::yaml).collect(joining("---\n"));
    return Documents.read("jobs.yaml", documents.getBytes(UTF_8)).stream()
        .map(RequestedJob::of)
        .toList();
  }

  private static String yaml(String name) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec:
      completions: 1
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: main, image: unused, command: ["true"]}
    """
        .formatted(name);
  }

  private boolean isSuspended(String name) {
    ObjectRef ref = TestWorld.job(name);
    KubeObject job = Objects.requireNonNull(cluster.peek(ref));
    return JobChanges.isSuspended(job);
  }

  @Test
  void aSubmissionThatFailsInTheMiddleLeavesWhatItHasSubmitted() {
    cluster.before(
        Fault.refusing("create jobs \"default/b\"", new ClusterException(Reason.FORBIDDEN, "no")));
    ClaimedSubmission submission = submission(ExistingJobs.CONTINUE);
    assertThatThrownBy(() -> submission.submit(requested("a", "b")))
        .isInstanceOf(UserException.class);
    assertThat(submission.claimed()).extracting(JobClaim::name).containsExactly("a", "b");
    assertThat(isSuspended("a")).isFalse();
  }

  /** Its pods go on with the former document, and would get inputs of another one. */
  @Test
  void aRefusedJobLeavesTheInputsAsTheyAre() {
    List<RequestedInput> inputs = List.of(configMap("0.1"));
    submission(ExistingJobs.CONTINUE, inputs).submit(requested("a"));
    cluster.add(JobBuilder.named("b").completions(2));
    ClaimedSubmission second = submission(ExistingJobs.CONTINUE, List.of(configMap("0.01")));
    assertThatThrownBy(() -> second.submit(requested("a", "b")))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("spec.completions");
    KubeObject stored = Objects.requireNonNull(cluster.peek(ref(inputs.getFirst())));
    assertThat(stored.tree().at("/data/lr").asString()).isEqualTo("0.1");
  }

  private static RequestedInput configMap(String rate) {
    String document =
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: params}, data: {lr: '%s'}}"
            .formatted(rate);
    return RequestedInput.of(Documents.read("jobs.yaml", document.getBytes(UTF_8)).getFirst())
        .orElseThrow();
  }

  private static ObjectRef ref(RequestedInput input) {
    return new ObjectRef(input.kind(), "default", input.name());
  }

  @Test
  void aJobThatAnotherCommandHasIsNotTouched() {
    free = CompletableFuture.failedFuture(new ClusterException(Reason.CONFLICT, "run by another"));
    ClaimedSubmission submission = submission(ExistingJobs.CONTINUE);
    assertThatThrownBy(() -> submission.submit(requested("a")))
        .isInstanceOf(UserException.class)
        .hasMessage("run by another");
    assertThat(submission.claimed()).isEmpty();
  }

  @Test
  void ctrlCEndsTheWaitForAClaim() {
    free = new CompletableFuture<>();
    end.set(new RunEnd.Reason.Signalled("INT"));
    ClaimedSubmission submission = submission(ExistingJobs.CONTINUE);
    assertThatThrownBy(() -> submission.submit(requested("a")))
        .isInstanceOf(RunEnd.EndedEarly.class);
    assertThat(submission.claimed()).as("another command may have it").isEmpty();
  }

  @Test
  void ctrlCInTheMiddleInterruptsWhatWasClaimed() {
    cluster.add(JobBuilder.named("b").completions(2));
    ClaimedSubmission submission = submission(ExistingJobs.REPLACE);
    cluster.before(
        Fault.once("patch jobs \"default/b\"", () -> end.set(new RunEnd.Reason.Signalled("INT"))));
    assertThatThrownBy(() -> submission.submit(requested("a", "b")))
        .isInstanceOf(RunEnd.EndedEarly.class);
    assertThat(isSuspended("a")).isFalse();
    interruption.begin(submission.claimed().stream().map(JobClaim::ref).toList());
    assertThat(isSuspended("a")).isTrue();
    assertThat(isSuspended("b")).isTrue();
  }
}
