package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.mirror.MirrorProblem.Reason;
import dev.stint.controllers.mirror.MirrorView.Evidence;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class MirrorPlanTest {
  private static final String SPEC = "'completions':2";

  private static MirrorStep next(@Nullable KubeObject job, @Nullable KubeObject copy) {
    return MirrorPlan.next(MirrorFixtures.view(job, copy));
  }

  /** The Job as it was created. */
  private static KubeObject fresh() {
    ObjectNode job = MirrorFixtures.job(SPEC, "").copy();
    job.withObjectProperty("metadata").remove("finalizers");
    job.withObjectProperty("metadata").remove("annotations");
    return KubeObject.of(job);
  }

  private static KubeObject held() {
    ObjectNode job = MirrorFixtures.job(SPEC, "").copy();
    job.withObjectProperty("metadata").remove("annotations");
    return KubeObject.of(job);
  }

  private static KubeObject deleted(KubeObject object, String... finalizers) {
    ObjectNode job = object.copy();
    ObjectNode metadata = job.withObjectProperty("metadata");
    metadata.put("deletionTimestamp", "2026-01-01T11:59:00Z");
    for (String finalizer : finalizers) {
      metadata.withArrayProperty("finalizers").add(finalizer);
    }
    return KubeObject.of(job);
  }

  /** The copy as the mirror creates it, once it is on the worker. */
  private static KubeObject made(String status) {
    ObjectNode copy = ((MirrorStep.Create) next(held(), null)).copy().copy();
    ObjectNode metadata = copy.withObjectProperty("metadata");
    metadata.put("uid", "copy-1").put("creationTimestamp", "2026-01-01T10:00:00Z");
    copy.set("status", Json.parse(("{" + status + "}").replace('\'', '"')));
    return KubeObject.of(copy);
  }

  private static String reason(MirrorStep step) {
    return condition(step).reason();
  }

  private static JobCondition condition(MirrorStep step) {
    assertThat(step).isInstanceOf(MirrorStep.Report.class);
    KubeObject job = ((MirrorStep.Report) step).job();
    return JobStatus.read(job.status()).condition(MirrorNames.CONDITION).orElseThrow();
  }

  @Test
  void aJobGetsItsFinalizerThenItsCopyThenTheRecordOfIt() {
    assertThat(next(fresh(), null)).isInstanceOf(MirrorStep.AddFinalizer.class);
    assertThat(next(held(), null)).isInstanceOf(MirrorStep.Create.class);
    KubeObject held = held();
    assertThat(next(held, MirrorFixtures.copy("")))
        .isEqualTo(new MirrorStep.RecordCopy(held, "copy-1", "worker-1"));
    assertThat(reason(next(MirrorFixtures.job(SPEC, ""), MirrorFixtures.copy("'active':2"))))
        .isEqualTo("Mirrored");
  }

  @Test
  void aJobThatLostItsFinalizerGetsItBackThoughItHasACopy() {
    ObjectNode job = MirrorFixtures.job(SPEC, "").copy();
    job.withObjectProperty("metadata").remove("finalizers");
    KubeObject unheld = KubeObject.of(job);
    assertThat(next(unheld, MirrorFixtures.copy("")))
        .isEqualTo(new MirrorStep.AddFinalizer(unheld));
    assertThat(next(fresh(), MirrorFixtures.copy(""))).isInstanceOf(MirrorStep.AddFinalizer.class);
  }

  /** Jobs of these names on the worker are others than those of the manager. */
  @Test
  void aCopyStartsAfterNoOtherJobs() {
    ObjectNode job = held().copy();
    job.withObjectProperty("metadata")
        .putObject("annotations")
        .put("stint.dev/after", "extract, shards=index, parts=index")
        .put("stint.dev/after-met", "extract")
        .put("stint.dev/ready-indexes", "0,2")
        .put("stint.dev/after-ended", "parts=Failed 0,2")
        .put("stint.dev/keep-pods", "failed");
    KubeObject copy = ((MirrorStep.Create) next(KubeObject.of(job), null)).copy();
    assertThat(copy.annotations())
        .containsEntry("stint.dev/keep-pods", "failed")
        .doesNotContainKeys(
            "stint.dev/after",
            "stint.dev/after-met",
            "stint.dev/ready-indexes",
            "stint.dev/after-ended");
  }

  @Test
  void theConditionNamesTheCommandThatReadsTheLogs() {
    KubeObject job = MirrorFixtures.job(SPEC, "");
    assertThat(condition(next(job, MirrorFixtures.copy("'active':2"))).message())
        .contains("stint logs %s -n %s --worker ".formatted(job.name(), job.namespace()));
  }

  @Test
  void aJobWithAnotherManagerIsLeftAlone() {
    ObjectNode job = MirrorFixtures.job(SPEC, "").copy();
    job.withObjectProperty("spec").put("managedBy", "example.com/other");
    assertThat(next(KubeObject.of(job), null)).isEqualTo(new MirrorStep.Rest());
  }

  @Test
  void aCopyWithoutItsJobIsDeleted() {
    assertThat(nextIfManagers(null, MirrorFixtures.copy(""))).isInstanceOf(MirrorStep.Remove.class);
    assertThat(next(null, deleted(MirrorFixtures.copy("")))).isEqualTo(new MirrorStep.Rest());
  }

  /** Returns the next step if the manager has answered for the Job for sure. */
  private static MirrorStep nextIfManagers(@Nullable KubeObject job, @Nullable KubeObject copy) {
    return MirrorPlan.next(MirrorFixtures.view(job, copy).withJobOfManager(job));
  }

  /** A proxy or another cluster at the manager's address does not know the Job either. */
  @Test
  void aMissingJobIsConfirmedBeforeItsCopyIsDeleted() {
    assertThat(next(null, MirrorFixtures.copy(""))).isEqualTo(new MirrorStep.IdentifyManager());
    assertThat(next(null, null)).isEqualTo(new MirrorStep.Rest());
    KubeObject ofAnotherJob = MirrorFixtures.copy(MirrorFixtures.TIE.origin(), "job-0", "");
    assertThat(next(held(), ofAnotherJob)).isEqualTo(new MirrorStep.IdentifyManager());
    assertThat(next(deleted(held()), ofAnotherJob)).isEqualTo(new MirrorStep.IdentifyManager());
    assertThat(next(deleted(held()), MirrorFixtures.copy("")))
        .isInstanceOf(MirrorStep.Remove.class);
  }

  @Test
  void aCopyOfAnotherManagerIsNeverTouched() {
    KubeObject foreign = MirrorFixtures.copy("manager-2", "job-9", "");
    assertThat(next(null, foreign)).isEqualTo(new MirrorStep.Rest());
    assertThat(reason(next(held(), foreign))).isEqualTo("NameTaken");
  }

  @Test
  void aCopyOfAnEarlierJobOfTheSameNameIsDeletedFirst() {
    KubeObject former = MirrorFixtures.copy(MirrorFixtures.TIE.origin(), "job-0", "");
    assertThat(nextIfManagers(held(), former)).isInstanceOf(MirrorStep.Remove.class);
  }

  @Test
  void aCopyThatIsTheJobItselfRevealsThatBothClustersAreOne() {
    KubeObject job = held();
    MirrorStep step = next(job, job);
    assertThat(reason(step)).isEqualTo("NameTaken");
    assertThat(((MirrorStep.Report) step).events().getFirst().message())
        .contains("the same cluster");
  }

  @Test
  void aChangedJobChangesItsCopy() {
    ObjectNode job = MirrorFixtures.job(SPEC + ",'suspend':true", "").copy();
    job.withObjectProperty("metadata").put("generation", 2);
    MirrorStep step = next(KubeObject.of(job), made(""));
    assertThat(step).isInstanceOf(MirrorStep.Change.class);
    KubeObject copy = ((MirrorStep.Change) step).copy();
    assertThat(copy.spec()).isNotNull();
    assertThat(copy.tree().at("/spec/suspend").asBoolean()).isTrue();
    assertThat(copy.annotations()).containsEntry(MirrorNames.GENERATION, "2");
    assertThat(copy.tree().at("/spec").has("managedBy")).isFalse();

    MirrorView refused =
        MirrorFixtures.view(KubeObject.of(job), made("'active':1"))
            .with(new MirrorProblem(Reason.ChangeRefused, "no"));
    MirrorStep after = MirrorPlan.next(refused);
    assertThat(reason(after)).isEqualTo("ChangeRefused");
    assertThat(JobStatus.read(((MirrorStep.Report) after).job().status()).active()).isEqualTo(1);
  }

  /**
   * The manager's Job was resumed and suspended again, and got another template, before its copy
   * learned of the second suspension: the worker allows a change of the template only if the Job
   * has stopped.
   */
  @Test
  void aTemplateChangesOnceTheCopyHasStopped() {
    ObjectNode job = MirrorFixtures.job(SPEC + ",'suspend':true", "").copy();
    job.withObjectProperty("metadata").put("generation", 4);
    job.withObjectProperty("spec")
        .withObjectProperty("template")
        .withObjectProperty("spec")
        .putObject("nodeSelector")
        .put("zone", "b");

    KubeObject running = made("'startTime':'2026-01-01T11:00:00Z','active':2");
    MirrorStep first = next(KubeObject.of(job), running);
    assertThat(first).isInstanceOf(MirrorStep.Change.class);
    KubeObject stopping = ((MirrorStep.Change) first).copy();
    assertThat(stopping.tree().at("/spec/suspend").asBoolean()).isTrue();
    assertThat(stopping.tree().at("/spec/template")).isEqualTo(running.tree().at("/spec/template"));

    MirrorStep meanwhile = next(KubeObject.of(job), stopping);
    assertThat(reason(meanwhile)).isEqualTo("Mirrored");

    ObjectNode stopped = stopping.copy();
    stopped.putObject("status");
    MirrorStep last = next(KubeObject.of(job), KubeObject.of(stopped));
    assertThat(last).isInstanceOf(MirrorStep.Change.class);
    KubeObject changed = ((MirrorStep.Change) last).copy();
    assertThat(changed.tree().at("/spec/template/spec/nodeSelector/zone").asString())
        .isEqualTo("b");
    assertThat(changed.annotations()).containsEntry(MirrorNames.GENERATION, "4");
  }

  @Test
  void aMissingCopyIsInspectedBeforeTheJobFails() {
    KubeObject job = MirrorFixtures.job(SPEC, "'active':2");
    assertThat(next(job, null)).isEqualTo(new MirrorStep.Inspect(job, "copy-1", "worker-1"));
    MirrorView view = MirrorFixtures.view(job, null);
    assertThat(reason(MirrorPlan.next(view.with(new Evidence("worker-1", 0)))))
        .isEqualTo("CopyDeleted");
    assertThat(reason(MirrorPlan.next(view.with(new Evidence("worker-2", 0)))))
        .isEqualTo("OtherWorker");
  }

  /** The copy as somebody on the worker has replaced it. */
  private static KubeObject untied(String... lost) {
    ObjectNode copy = made("'active':2").copy();
    ObjectNode metadata = copy.withObjectProperty("metadata");
    List<String> all = lost.length == 0 ? List.copyOf(MirrorNames.OURS) : List.of(lost);
    metadata.withObjectProperty("labels").remove(all);
    metadata.withObjectProperty("annotations").remove(all);
    return KubeObject.of(copy);
  }

  @Test
  void aCopyWithoutTiesIsNotMissing() {
    KubeObject job = MirrorFixtures.job(SPEC, "'active':2");
    MirrorStep step = next(job, untied());
    assertThat(reason(step)).isEqualTo("CopyUntied");
    assertThat(condition(step).message())
        .contains("stint.dev/mirror-of=job-1 stint.dev/mirror-from=manager-1;")
        .contains("stint.dev/mirror-claim=stint.dev/mirror");
    assertThat(JobStatus.read(((MirrorStep.Report) step).job().status()).isFinished()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "stint.dev/mirror-of",
        "stint.dev/mirror-from",
        "stint.dev/mirror-claim",
        "stint.dev/mirror-moves"
      })
  void aCopyThatThisMirrorKnowsGetsItsTiesBack(String lost) {
    KubeObject job = annotated(MirrorFixtures.job(SPEC, ""), MirrorNames.MOVES, "1");
    KubeObject copy = annotated(made("'active':2"), MirrorNames.MOVES, "1");
    KubeObject untied = lost.isEmpty() ? untied() : untied(lost);
    MirrorView view = MirrorFixtures.view(job, untied).with(MadeCopy.read(copy));
    MirrorStep step = MirrorPlan.next(view);
    assertThat(step).isInstanceOf(MirrorStep.Change.class);
    KubeObject tied = ((MirrorStep.Change) step).copy();
    assertThat(MirrorFixtures.TIE.isCopyOf(tied, job)).isTrue();
    assertThat(tied.spec()).isEqualTo(untied.spec());

    MirrorStep after = MirrorPlan.next(view.withCopy(tied));
    if (after instanceof MirrorStep.Change(KubeObject updated)) { // Its generation was lost too.
      assertThat(updated.spec()).isEqualTo(tied.spec());
      after = MirrorPlan.next(view.withCopy(updated));
    }
    assertThat(reason(after)).isEqualTo("Mirrored");
    MirrorProblem refused = new MirrorProblem(Reason.ChangeRefused, "no");
    assertThat(reason(MirrorPlan.next(view.with(refused)))).isEqualTo("ChangeRefused");
  }

  private static KubeObject annotated(KubeObject object, String name, String value) {
    ObjectNode tree = object.copy();
    tree.withObjectProperty("metadata").withObjectProperty("annotations").put(name, value);
    return KubeObject.of(tree);
  }

  /** A user of the manager may have recorded the uid of any Job. */
  @Test
  void aJobThatThisMirrorKnowsAsTheCopyOfAnotherOneGetsNoTies() {
    MadeCopy ofAnother = MadeCopy.read(MirrorFixtures.copy("manager-1", "job-0", ""));
    KubeObject job = MirrorFixtures.job(SPEC, "");
    assertThat(reason(MirrorPlan.next(MirrorFixtures.view(job, untied()).with(ofAnother))))
        .isEqualTo("CopyUntied");
  }

  @Test
  void anOrphanedCopyGetsNoTies() {
    KubeObject job = deleted(MirrorFixtures.job(SPEC, ""), "orphan");
    MadeCopy known = MadeCopy.read(MirrorFixtures.copy(""));
    assertThat(MirrorPlan.next(MirrorFixtures.view(job, untied()).with(known)))
        .isInstanceOf(MirrorStep.RemoveFinalizer.class);
    assertThat(MirrorPlan.next(MirrorFixtures.view(null, untied()).with(known)))
        .isEqualTo(new MirrorStep.Rest());
  }

  @Test
  void aCopyThatThisMirrorKnowsGoesWithItsJobThoughItHasLostItsTies() {
    KubeObject job = deleted(MirrorFixtures.job(SPEC, ""));
    MadeCopy known = MadeCopy.read(MirrorFixtures.copy(""));
    MirrorView view = MirrorFixtures.view(job, untied()).with(known);
    assertThat(MirrorPlan.next(view)).isEqualTo(new MirrorStep.IdentifyManager());
    assertThat(MirrorPlan.next(view.withJobOfManager(job))).isInstanceOf(MirrorStep.Remove.class);
  }

  /** As workers before Kubernetes 1.31 leave it: nobody corrects the counters after the end. */
  @ParameterizedTest
  @ValueSource(strings = {"'active':1", "'active':1,'ready':1", "'terminating':2"})
  void aJobEndsIfNoPodOfItsCopyIsLeftWhateverTheCopyCounts(String counters) {
    KubeObject job = MirrorFixtures.job(SPEC, "'startTime':'2026-01-01T10:00:00Z'");
    KubeObject copy =
        made(
            "'startTime':'2026-01-01T10:00:00Z','failed':1,'conditions':[{'type':'Failed',"
                + "'status':'True','reason':'DeadlineExceeded'}],"
                + counters);
    MirrorView view = MirrorFixtures.view(job, copy);
    MirrorStep first = MirrorPlan.next(view);
    assertThat(reported(first).isTrue("FailureTarget")).isTrue();
    assertThat(MirrorPlan.next(view.withJob(((MirrorStep.Report) first).job())))
        .isEqualTo(new MirrorStep.CountPods(copy));

    JobStatus waits = reported(MirrorPlan.next(view.with(new Evidence("worker-1", 1))));
    assertThat(waits.isTrue("FailureTarget")).isTrue();
    assertThat(waits.isFinished()).isFalse();

    JobStatus ended = reported(MirrorPlan.next(view.with(new Evidence("worker-1", 0))));
    assertThat(ended.condition("Failed").orElseThrow().reason()).isEqualTo("DeadlineExceeded");
    assertThat(ended.active()).isZero();
    assertThat(ended.terminating()).isIn(null, 0);
  }

  private static JobStatus reported(MirrorStep step) {
    assertThat(step).isInstanceOf(MirrorStep.Report.class);
    return JobStatus.read(((MirrorStep.Report) step).job().status());
  }

  @Test
  void thePodsOfACopyThatRunsAreNotCounted() {
    MirrorStep step = next(MirrorFixtures.job(SPEC, ""), made("'active':2,'ready':1"));
    assertThat(reported(step).active()).isEqualTo(2);
  }

  @Test
  void aReplacedCopyIsDeletedBeforeTheJobFails() {
    ObjectNode copy = MirrorFixtures.copy("").copy();
    copy.withObjectProperty("metadata").put("uid", "copy-2");
    assertThat(next(MirrorFixtures.job(SPEC, ""), KubeObject.of(copy)))
        .isInstanceOf(MirrorStep.Remove.class);
  }

  @Test
  void aFinishedJobIsLeftAsItIs() {
    KubeObject job =
        MirrorFixtures.job(SPEC, "'conditions':[{'type':'Failed','status':'True'}],'failed':1");
    assertThat(next(job, null)).isEqualTo(new MirrorStep.Rest());
    assertThat(next(job, MirrorFixtures.copy("'failed':2"))).isEqualTo(new MirrorStep.Rest());
  }

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"WorkerUnreachable", "WorkerRefuses"})
  void nothingIsDoneOnAWorkerThatCannotBeSeen(Reason why) {
    MirrorView blind =
        MirrorFixtures.view(MirrorFixtures.job(SPEC, ""), null).with(new MirrorProblem(why, "m"));
    assertThat(reason(MirrorPlan.next(blind))).isEqualTo(why.text());
    MirrorView gone =
        MirrorFixtures.view(deleted(MirrorFixtures.job(SPEC, "")), null)
            .with(new MirrorProblem(why, "m"));
    assertThat(reason(MirrorPlan.next(gone))).isEqualTo("DeletionWaits");
    assertThat(MirrorPlan.next(MirrorFixtures.view(null, null).with(new MirrorProblem(why, "m"))))
        .isEqualTo(new MirrorStep.Rest());
  }

  @Test
  void aStatusThatTheManagerWouldRefuseIsNotSent() {
    KubeObject job =
        MirrorFixtures.job(
            SPEC, "'conditions':[{'type':'FailureTarget','status':'True'}],'active':1");
    MirrorStep step = next(job, MirrorFixtures.copy("'active':2"));
    assertThat(reason(step)).isEqualTo("StatusRefused");
    assertThat(JobStatus.read(((MirrorStep.Report) step).job().status()).active()).isEqualTo(1);
  }

  @Test
  void aDeletedJobIsReleasedAfterItsCopyIsDeleted() {
    KubeObject job = deleted(MirrorFixtures.job(SPEC, ""));
    KubeObject copy = MirrorFixtures.copy("");
    assertThat(next(job, copy)).isEqualTo(new MirrorStep.Remove(copy, Propagation.BACKGROUND));
    assertThat(next(job, deleted(MirrorFixtures.copy(""))))
        .isInstanceOf(MirrorStep.RemoveFinalizer.class);
    assertThat(next(job, null)).isInstanceOf(MirrorStep.RemoveFinalizer.class);
  }

  @Test
  void aJobThatIsDeletedInTheForegroundWaitsForItsCopy() {
    KubeObject job = deleted(MirrorFixtures.job(SPEC, ""), "foregroundDeletion");
    assertThat(((MirrorStep.Remove) next(job, MirrorFixtures.copy(""))).propagation())
        .isEqualTo(Propagation.FOREGROUND);
    assertThat(next(job, deleted(MirrorFixtures.copy("")))).isEqualTo(new MirrorStep.Rest());
    assertThat(next(job, null)).isInstanceOf(MirrorStep.RemoveFinalizer.class);
  }

  @Test
  void anOrphanedCopyBecomesAnOrdinaryJob() {
    KubeObject job = deleted(MirrorFixtures.job(SPEC, ""), "orphan");
    MirrorStep step = next(job, MirrorFixtures.copy(""));
    assertThat(step).isInstanceOf(MirrorStep.Orphan.class);
    KubeObject copy = ((MirrorStep.Orphan) step).copy();
    assertThat(copy.labels()).isEmpty();
    assertThat(copy.annotations()).isEmpty();
    assertThat(next(job, copy)).isInstanceOf(MirrorStep.RemoveFinalizer.class);
  }

  @Test
  void aDeletedJobStaysIfItsCopyIsInAnotherCluster() {
    KubeObject job = deleted(MirrorFixtures.job(SPEC, ""));
    ObjectNode elsewhere = job.copy();
    elsewhere
        .withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(MirrorNames.WORKER, "worker-2");
    assertThat(reason(next(KubeObject.of(elsewhere), null))).isEqualTo("DeletionWaits");
  }

  @Test
  void aDeletionThatWaitsForAWorkerIsAnEvent() {
    MirrorProblem away = MirrorProblem.unreachable("the worker cluster east");
    String told =
        "'conditions':[{'type':'stint.dev/Mirrored','status':'False','reason':'WorkerUnreachable'}]";
    KubeObject job = deleted(MirrorFixtures.job(SPEC, told));
    MirrorStep step = MirrorPlan.next(MirrorFixtures.view(job, null).with(away));
    assertThat(((MirrorStep.Report) step).events().getFirst().message())
        .contains("the worker cluster does not answer", "may still run", "remove the finalizer");
    KubeObject waiting = ((MirrorStep.Report) step).job();
    assertThat(MirrorPlan.next(MirrorFixtures.view(waiting, null).with(away)))
        .isEqualTo(new MirrorStep.Rest());
  }

  @Test
  void aRefusedCopyIsShown() {
    MirrorView refused =
        MirrorFixtures.view(held(), null)
            .with(new MirrorProblem(Reason.CopyRefused, "no such namespace"));
    assertThat(reason(MirrorPlan.next(refused))).isEqualTo("CopyRefused");
  }

  /** The Job as it is once it has moved, and before it has another copy. */
  private static KubeObject moved(String status) {
    ObjectNode job = MirrorFixtures.job(SPEC, status).copy();
    ObjectNode annotations = job.withObjectProperty("metadata").withObjectProperty("annotations");
    annotations.removeAll();
    annotations.put(MirrorNames.ASSIGNED, "west").put(MirrorNames.MOVES, "1");
    return KubeObject.of(job);
  }

  private static MirrorStep nextOf(
      String worker, @Nullable KubeObject job, @Nullable KubeObject copy) {
    return MirrorPlan.next(MirrorFixtures.view(worker, job, copy));
  }

  @Test
  void aWorkerWorksOnlyOnJobsThatAreAssignedToIt() {
    assertThat(nextOf("east", held(), null)).isEqualTo(new MirrorStep.Rest());
    assertThat(nextOf("east", moved(""), null)).isEqualTo(new MirrorStep.Rest());
    assertThat(nextOf("west", moved(""), null)).isInstanceOf(MirrorStep.Create.class);
  }

  @Test
  void aFormerWorkerRemovesItsCopyAndTouchesNoOther() {
    KubeObject old = MirrorFixtures.copy("'active':1");
    assertThat(nextOf("east", moved(""), old)).isInstanceOf(MirrorStep.Remove.class);
    KubeObject ofAnEarlierJob = MirrorFixtures.copy(MirrorFixtures.TIE.origin(), "job-0", "");
    assertThat(nextOf("east", moved(""), ofAnEarlierJob))
        .isEqualTo(new MirrorStep.IdentifyManager());
    KubeObject current = ((MirrorStep.Create) nextOf("west", moved(""), null)).copy();
    assertThat(nextOf("east", moved(""), current)).isEqualTo(new MirrorStep.Rest());
    assertThat(nextOf("east", MirrorFixtures.job(SPEC, ""), old)).isEqualTo(new MirrorStep.Rest());
  }

  /** A user may write any number. */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "2147483649", "9223372036854775807", "many", "0", "2147483648"})
  void aJobWithAnyNumberOfMovesKeepsItsCopy(String moves) {
    KubeObject job = annotated(held(), MirrorNames.MOVES, moves);
    MirrorStep step = next(job, null);
    assertThat(step).isInstanceOf(MirrorStep.Create.class);
    assertThat(next(job, ((MirrorStep.Create) step).copy()))
        .isInstanceOf(MirrorStep.RecordCopy.class);
  }

  @Test
  void numbersOfMovesHaveALimit() {
    assertThat(movesOf("2147483648")).isEqualTo(2147483648L);
    assertThat(movesOf("2147483649")).isZero();
    assertThat(movesOf("0")).isZero();
    assertThat(movesOf("-1")).isZero();
  }

  private static long movesOf(String text) {
    return MirrorNames.moves(annotated(held(), MirrorNames.MOVES, text));
  }

  @Test
  void aJobThatComesBackToAWorkerDoesNotGetItsFormerCopy() {
    MirrorStep step = nextOf("west", moved(""), MirrorFixtures.copy("'active':1"));
    assertThat(step).isInstanceOf(MirrorStep.Remove.class);
  }

  @Test
  void aJobWhoseEndWasAnnouncedEndsAndDoesNotStartAnew() {
    String announced =
        "'startTime':'2026-01-01T10:00:00Z','succeeded':2,'terminating':1,'conditions':[{'type':"
            + "'SuccessCriteriaMet','status':'True','reason':'R','message':'M',"
            + "'lastTransitionTime':'2026-01-01T11:00:00Z'}]";
    MirrorStep step = nextOf("west", moved(announced), null);
    assertThat(reason(step)).isEqualTo("WorkerLost");
    JobStatus end = JobStatus.read(((MirrorStep.Report) step).job().status());
    assertThat(end.isTrue("Complete")).isTrue();
    assertThat(end.condition("Complete").orElseThrow().reason()).isEqualTo("R");
    assertThat(end.terminating()).isZero();
    assertThat(end.completionTime()).isEqualTo(MirrorFixtures.NOW);
  }

  @Test
  void aJobThatMovedAndHasNoCopyYetShowsNoPods() {
    KubeObject job = moved("'startTime':'2026-01-01T10:00:00Z','active':2,'ready':1,'failed':1");
    MirrorStep step =
        MirrorPlan.next(
            MirrorFixtures.view("west", job, null)
                .with(new MirrorProblem(Reason.CopyRefused, "quota")));
    JobStatus status = JobStatus.read(((MirrorStep.Report) step).job().status());
    assertThat(status.active()).isZero();
    assertThat(status.ready()).isZero();
    assertThat(status.failed()).isEqualTo(1);
    assertThat(status.startTime()).isEqualTo("2026-01-01T10:00:00Z");
  }
}
