package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorNames;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.covers.Covers;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that one cluster hands to another one (KEP-4368, Story 1). */
class MirrorTest {
  private final MirrorTestbed bed = MirrorTestbed.running();
  private final MirrorTestbed.Side manager = bed.manager;
  private final MirrorTestbed.Side worker = bed.worker;

  @AfterEach
  void nothingThatWasWrittenWasInvalid() {
    assertThat(manager.ofMirror.refusals).isEmpty();
    assertThat(worker.ofMirror.refusals).isEmpty();
  }

  @Test
  @Covers("MB-11")
  void aJobRunsOnTheWorkerAndItsStatusIsThatOfItsCopy() {
    KubeObject job =
        bed.handOver("j", "'completions':3,'parallelism':2,'completionMode':'Indexed'");
    bed.seconds(5);

    KubeObject copy = worker.see("j");
    assertThat(copy.uid()).isNotEqualTo(job.uid());
    assertThat(copy.tree().at("/spec/managedBy").isMissingNode()).isTrue();
    assertThat(copy.labels()).containsEntry(MirrorNames.OF, job.uid());
    assertThat(manager.status("j").active()).isEqualTo(2);
    assertThat(manager.mirrored("j")).isEqualTo("True");
    assertThat(worker.list(Kind.POD)).hasSize(2);

    bed.seconds(200);
    assertThat(manager.conditions("j")).containsExactly("SuccessCriteriaMet", "Complete");
    JobStatus status = manager.status("j");
    assertThat(status.succeeded()).isEqualTo(3);
    assertThat(status.completedIndexes()).hasToString("0-2");
    assertThat(status.completionTime()).isEqualTo(worker.status("j").completionTime());
    assertThat(status.uncounted()).isEqualTo(JobStatus.Uncounted.NONE);
    assertThat(manager.list(Kind.POD)).isEmpty();
  }

  @Test
  @Covers("MB-11")
  void aSuspendedJobHasASuspendedCopyAndBothAreResumedAndSuspendedTogether() {
    bed.handOver("j", "'suspend':true");
    bed.seconds(5);
    assertThat(worker.see("j").tree().at("/spec/suspend").asBoolean()).isTrue();
    assertThat(manager.conditions("j")).containsExactly("Suspended");
    assertThat(worker.list(Kind.POD)).isEmpty();

    manager.change("j", "{'spec':{'suspend':false}}");
    bed.seconds(10);
    assertThat(manager.status("j").active()).isEqualTo(1);
    Instant first = Objects.requireNonNull(manager.status("j").startTime());

    manager.change("j", "{'spec':{'suspend':true}}");
    bed.seconds(10);
    assertThat(manager.status("j").active()).isZero();
    assertThat(manager.status("j").startTime()).isNull();

    manager.change("j", "{'spec':{'suspend':false}}");
    bed.seconds(100);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(manager.status("j").startTime()).isAfter(first);
  }

  /** The mirror follows a worker again a while after it answers again. */
  @Test
  void aDeletedJobGoesIfItsCopyIsGoneBeforeItWasListed() {
    bed.handOver("j", "");
    bed.seconds(100);
    boolean[] lists = {false};
    bed.startMirror(List.of(MirrorWorker.only(listing(lists))), AssignmentOptions.DEFAULT);
    bed.seconds(10);
    manager.delete("j", Propagation.FOREGROUND);
    bed.seconds(10);
    assertThat(worker.has("j")).isFalse();
    lists[0] = true;
    bed.seconds(60);
    assertThat(manager.has("j")).isFalse();
  }

  /** Returns the worker's API, which lists only while that is so. */
  private Cluster listing(boolean[] lists) {
    return new ForwardingCluster(worker.toMirror) {
      @Override
      protected <T extends @Nullable Object> CompletableFuture<T> send(
          ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
        return lists[0] || request.verb() != ClusterRequest.Verb.LIST
            ? sending.get()
            : CompletableFuture.failedFuture(
                new ClusterException(ClusterException.Reason.UNAVAILABLE, "not yet"));
      }
    };
  }

  @Test
  void aStartTimeStaysWhereTheWorkerAloneSuspendsTheCopy() {
    bed.handOver("j", "");
    bed.seconds(10);
    Instant start = manager.status("j").startTime();
    worker.change("j", "{'spec':{'suspend':true}}");
    bed.seconds(10);
    assertThat(manager.conditions("j")).containsExactly("Suspended");
    worker.change("j", "{'spec':{'suspend':false}}");
    bed.seconds(100);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(manager.status("j").startTime()).isEqualTo(start).isNotNull();
    assertThat(worker.status("j").startTime()).isAfter(start);
  }

  @Test
  void mutableFieldsOfAJobChangeInItsCopy() {
    bed.handOver("j", "'suspend':true,'completions':4,'parallelism':4,'completionMode':'Indexed'");
    bed.seconds(5);
    manager.change(
        "j",
        "{'spec':{'backoffLimit':1,'activeDeadlineSeconds':500,"
            + "'template':{'spec':{'nodeSelector':{'disk':'fast'}}}}}");
    bed.seconds(5);
    KubeObject copy = worker.see("j");
    assertThat(copy.tree().at("/spec/backoffLimit").intValue()).isEqualTo(1);
    assertThat(copy.tree().at("/spec/activeDeadlineSeconds").intValue()).isEqualTo(500);
    assertThat(copy.tree().at("/spec/template/spec/nodeSelector/disk").asString())
        .isEqualTo("fast");
    assertThat(copy.tree().at("/spec/template/metadata/labels").get("controller-uid").asString())
        .isEqualTo(copy.uid());

    manager.change("j", "{'spec':{'activeDeadlineSeconds':null}}");
    bed.seconds(5);
    assertThat(worker.see("j").tree().at("/spec/activeDeadlineSeconds").isMissingNode()).isTrue();
  }

  @Test
  void anIndexedJobIsScaledWithItsCopyEvenIfSuccessesAreLost() {
    bed.handOver("j", "'completions':3,'parallelism':3,'completionMode':'Indexed'");
    bed.seconds(30);
    manager.change("j", "{'spec':{'completions':5,'parallelism':5}}");
    bed.seconds(40);
    assertThat(manager.status("j").completedIndexes()).hasToString("0-2");
    manager.change("j", "{'spec':{'completions':2,'parallelism':2}}");
    bed.seconds(60);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(manager.status("j").completedIndexes()).hasToString("0,1");
    assertThat(manager.status("j").succeeded()).isEqualTo(2);
  }

  @Test
  void changesThatAreAllowedOneByOneAreMadeOneByOne() {
    bed.handOver("j", "'completions':3,'parallelism':3,'completionMode':'Indexed','suspend':true");
    bed.seconds(5);
    worker.leave();
    manager.change("j", "{'spec':{'completions':5,'parallelism':5}}");
    manager.change("j", "{'spec':{'parallelism':1}}");
    worker.comeBack();
    bed.seconds(60);
    assertThat(worker.see("j").tree().at("/spec/completions").intValue()).isEqualTo(5);
    assertThat(worker.see("j").tree().at("/spec/parallelism").intValue()).isEqualTo(1);
    assertThat(manager.mirrored("j")).isEqualTo("True");
  }

  @Test
  void aFailureIsMirroredWithItsReason() {
    bed.handOver("j", "'activeDeadlineSeconds':5");
    bed.seconds(60);
    assertThat(manager.conditions("j")).containsExactly("FailureTarget", "Failed");
    assertThat(manager.status("j").condition("Failed").orElseThrow().reason())
        .isEqualTo("DeadlineExceeded");
  }

  @Test
  void anUnreachableWorkerIsReportedAndTheMirrorContinuesLater() {
    bed.handOver("j", "");
    bed.seconds(5);
    worker.leave();
    bed.seconds(60);
    assertThat(manager.mirrored("j")).isEqualTo("WorkerUnreachable");
    bed.handOver("late", "");
    bed.seconds(60);
    assertThat(manager.mirrored("late")).isEqualTo("WorkerUnreachable");
    assertThat(manager.conditions("j")).isEmpty();

    worker.comeBack();
    bed.seconds(120);
    assertThat(manager.mirrored("j")).isEqualTo("True");
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(manager.conditions("late")).contains("Complete");
    assertThat(manager.list(Kind.EVENT))
        .extracting(event -> Json.text(event.tree(), "reason"))
        .contains("Mirrored", "WorkerUnreachable");
  }

  /** Two mirrors of one claim must do no harm. */
  @Test
  void aMirrorThatIsCutOffFromTheWorkerDoesNotContradictTheOtherForEver() {
    boolean[] cut = {false};
    int[] writes = {0};
    List<MirrorWorker> to = List.of(MirrorWorker.only(worker.toMirror));
    List<MirrorWorker> away = List.of(MirrorWorker.only(cutOff(cut)));
    bed.startMirror(countingStatuses(writes), to, AssignmentOptions.DEFAULT);
    bed.addMirror(countingStatuses(writes), away, AssignmentOptions.DEFAULT);
    bed.handOver("j", "");
    bed.handOver("k", "");
    bed.seconds(10);
    cut[0] = true;
    writes[0] = 0;
    bed.seconds(30);
    assertThat(writes[0]).isBetween(1, 10);
    assertThat(manager.mirrored("j")).isEqualTo("True");
    cut[0] = false;
    bed.seconds(100);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(manager.conditions("k")).contains("Complete");
  }

  /** Returns the worker's API, which does not answer while it is cut off. */
  private Cluster cutOff(boolean[] cut) {
    return new ForwardingCluster(worker.toMirror) {
      @Override
      protected <T extends @Nullable Object> CompletableFuture<T> send(
          ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
        return cut[0]
            ? CompletableFuture.failedFuture(
                new ClusterException(ClusterException.Reason.UNAVAILABLE, "cut off"))
            : sending.get();
      }
    };
  }

  /**
   * Returns the manager's API, which counts the statuses that are written. It refuses the hundredth
   * one: contradictions without a pause would keep the time from passing.
   */
  private Cluster countingStatuses(int[] writes) {
    return new ForwardingCluster(manager.toMirror) {
      @Override
      public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
        return ++writes[0] < 100
            ? super.updateStatus(object)
            : CompletableFuture.failedFuture(
                new ClusterException(ClusterException.Reason.UNAVAILABLE, "too many writes"));
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Propagation.class)
  void aCopyThatSomebodyDeletesFailsItsJobAndLeavesNoPods(Propagation how) {
    bed.handOver("j", "'completions':2,'parallelism':2");
    bed.seconds(10);
    worker.delete("j", how);
    bed.seconds(100);

    assertThat(manager.conditions("j")).containsExactly("FailureTarget", "Failed");
    assertThat(manager.status("j").condition("Failed").orElseThrow().reason())
        .isEqualTo("MirrorCopyDeleted");
    assertThat(manager.mirrored("j")).isEqualTo("CopyDeleted");
    assertThat(worker.has("j")).isFalse();
    assertThat(worker.list(Kind.POD)).isEmpty();
  }

  @Test
  void manyMissingCopiesShareTheListsOfPods() {
    for (int i = 0; i < 50; i++) {
      bed.handOver("j" + i, "");
    }
    bed.seconds(20);
    assertThat(worker.list(Kind.POD)).hasSize(50);
    bed.stopMirror();
    worker.list(Kind.JOB).forEach(copy -> worker.delete(copy.name(), Propagation.ORPHAN));
    int[] lists = {0};
    Cluster counted =
        new ForwardingCluster(worker.toMirror) {
          @Override
          protected <T extends @Nullable Object> CompletableFuture<T> send(
              ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
            boolean isList = request.verb() == ClusterRequest.Verb.LIST;
            lists[0] += isList && request.ref().kind().equals(Kind.POD) ? 1 : 0;
            return sending.get();
          }
        };
    bed.startMirror(List.of(MirrorWorker.only(counted)), AssignmentOptions.DEFAULT);
    bed.seconds(100);
    assertThat(manager.list(Kind.JOB))
        .allSatisfy(job -> assertThat(manager.conditions(job.name())).contains("Failed"));
    assertThat(worker.list(Kind.POD)).isEmpty();
    assertThat(lists[0]).isBetween(1, 49); // One for each copy would be 50, each time.
  }

  @Test
  void aCopyThatIsReplacedByAnotherOneFailsItsJob() {
    bed.handOver("j", "");
    bed.seconds(10);
    KubeObject copy = worker.see("j");
    worker.delete("j", Propagation.BACKGROUND);
    worker.create(MirrorTestbed.job("j", ""));
    bed.seconds(30);
    assertThat(manager.conditions("j")).containsExactly("FailureTarget", "Failed");
    assertThat(worker.see("j").uid()).isNotEqualTo(copy.uid());
    bed.seconds(60);
    assertThat(worker.conditions("j")).contains("Complete");
  }

  private static final String WITHOUT_TIES = "{'metadata':{'labels':null,'annotations':null}}";

  @Test
  void aCopyThatLosesItsTiesGetsThemBack() {
    KubeObject job = bed.handOver("j", "'completions':2,'parallelism':2");
    bed.seconds(10);
    worker.change("j", WITHOUT_TIES);
    bed.seconds(10);
    assertThat(worker.see("j").labels()).containsEntry(MirrorNames.OF, job.uid());
    bed.seconds(100);
    bed.startMirror(worker);
    bed.seconds(10);
    assertThat(manager.conditions("j")).containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(manager.mirrored("j")).isEqualTo("True");
    assertThat(worker.list(Kind.POD)).hasSize(2);
  }

  @Test
  void aCopyThatLostItsTiesWithoutTheMirrorKeepsItsPodsUntilSomebodyTiesItAgain() {
    KubeObject job = bed.handOver("j", "'completions':2,'parallelism':2");
    bed.seconds(10);
    KubeObject copy = worker.see("j");
    TreeSet<String> pods = MirrorTestbed.uids(worker.list(Kind.POD));
    bed.stopMirror();
    worker.change("j", WITHOUT_TIES);
    bed.startMirror(worker);
    bed.seconds(100);
    assertThat(manager.mirrored("j")).isEqualTo("CopyUntied");
    assertThat(manager.conditions("j")).isEmpty();
    assertThat(worker.conditions("j")).contains("Complete");
    assertThat(MirrorTestbed.uids(worker.list(Kind.POD))).isEqualTo(pods);

    worker.change(
        "j",
        "{'metadata':{'labels':{'stint.dev/mirror-of':'%s','stint.dev/mirror-from':'%s'},"
                .formatted(job.uid(), copy.label("stint.dev/mirror-from"))
            + "'annotations':{'stint.dev/mirror-claim':'stint.dev/mirror'}}}");
    bed.seconds(10);
    assertThat(manager.conditions("j")).containsExactly("SuccessCriteriaMet", "Complete");
    assertThat(manager.mirrored("j")).isEqualTo("True");
  }

  @Test
  void aJobThatNamesAnotherJobOfTheWorkerAsItsCopyDoesNotTakeItsPods() {
    bed.handOver("j", "");
    KubeObject foreign = worker.create(MirrorTestbed.job("theirs", "'parallelism':2"));
    bed.seconds(10);
    TreeSet<String> pods = MirrorTestbed.uids(podsOf(foreign));
    manager.change(
        "j",
        "{'metadata':{'annotations':{'stint.dev/mirror-copy':'%s'}}}".formatted(foreign.uid()));
    bed.seconds(10);
    assertThat(MirrorTestbed.uids(podsOf(foreign))).isEqualTo(pods).hasSize(2);
    bed.seconds(100);
    assertThat(worker.conditions("theirs")).contains("Complete");
  }

  private List<KubeObject> podsOf(KubeObject job) {
    return worker.list(Kind.POD).stream()
        .filter(pod -> job.uid().equals(pod.label(Names.CONTROLLER_UID)))
        .toList();
  }

  @Test
  void aJobOfTheWorkerThatHasTheNameIsLeftAlone() {
    KubeObject foreign = worker.create(MirrorTestbed.job("j", "'suspend':true"));
    bed.seconds(5);
    String before = worker.see("j").resourceVersion();
    bed.handOver("j", "");
    bed.seconds(60);
    assertThat(manager.mirrored("j")).isEqualTo("NameTaken");
    assertThat(worker.see("j").resourceVersion()).isEqualTo(before);
    assertThat(worker.see("j").uid()).isEqualTo(foreign.uid());

    worker.delete("j", Propagation.BACKGROUND);
    bed.seconds(100);
    assertThat(manager.conditions("j")).contains("Complete");
  }

  @ParameterizedTest
  @EnumSource(
      value = Propagation.class,
      names = {"BACKGROUND", "FOREGROUND"})
  void aJobThatIsDeletedTakesItsCopyAlong(Propagation how) {
    bed.handOver("j", "'completions':2,'parallelism':2");
    bed.seconds(10);
    manager.delete("j", how);
    bed.seconds(60);
    assertThat(manager.has("j")).isFalse();
    assertThat(worker.has("j")).isFalse();
    assertThat(worker.list(Kind.POD)).isEmpty();
  }

  @Test
  void aJobWhosePodsAreOrphanedLeavesItsCopyAsAnOrdinaryJob() {
    bed.handOver("j", "");
    bed.seconds(10);
    manager.delete("j", Propagation.ORPHAN);
    bed.seconds(10);
    assertThat(manager.has("j")).isFalse();
    KubeObject copy = worker.see("j");
    assertThat(copy.labels().keySet()).noneMatch(key -> key.startsWith("stint.dev/"));
    assertThat(copy.annotations().keySet()).noneMatch(key -> key.startsWith("stint.dev/"));
    bed.seconds(100);
    assertThat(worker.conditions("j")).contains("Complete");
  }

  @Test
  void aJobDeletedDuringAnOutageOfTheWorkerWaitsForIt() {
    bed.handOver("j", "");
    bed.seconds(10);
    worker.leave();
    bed.seconds(30);
    manager.delete("j", Propagation.BACKGROUND);
    bed.seconds(30);
    assertThat(manager.mirrored("j")).isEqualTo("DeletionWaits");
    worker.comeBack();
    bed.seconds(60);
    assertThat(manager.has("j")).isFalse();
    assertThat(worker.has("j")).isFalse();
  }

  @Test
  void theCopyOfAJobDeletedDuringAnOutageOfTheMirrorIsDeletedLater() {
    bed.handOver("held", "");
    bed.handOver("forced", "");
    bed.seconds(10);
    bed.stopMirror();
    manager.delete("held", Propagation.BACKGROUND);
    manager.delete("forced", Propagation.BACKGROUND);
    manager.change("forced", "{'metadata':{'finalizers':null}}");
    assertThat(manager.has("forced")).isFalse();
    bed.startMirror(worker);
    bed.seconds(20);
    assertThat(manager.has("held")).isFalse();
    assertThat(worker.list(Kind.JOB)).isEmpty();
    assertThat(worker.list(Kind.POD)).isEmpty();
  }

  @Test
  void aProxyThatDoesNotFindTheManagerCostsNoCopy() {
    assertThatACopyStaysWhileGetsOfTheManager(_ ->
        CompletableFuture.failedFuture(
            new ClusterException(ClusterException.Reason.NOT_FOUND, "no route")));
  }

  @Test
  void anotherClusterAtTheAddressOfTheManagerCostsNoCopy() {
    MirrorTestbed.Side other = bed.new Side();
    assertThatACopyStaysWhileGetsOfTheManager(other.toMirror::get);
  }

  private void assertThatACopyStaysWhileGetsOfTheManager(
      Function<ObjectRef, CompletableFuture<KubeObject>> areAnsweredSo) {
    boolean[] wrong = {false};
    Cluster from =
        new ForwardingCluster(manager.toMirror) {
          @Override
          public CompletableFuture<KubeObject> get(ObjectRef ref) {
            return wrong[0] ? areAnsweredSo.apply(ref) : super.get(ref);
          }
        };
    bed.startMirror(from, List.of(MirrorWorker.only(worker.toMirror)), AssignmentOptions.DEFAULT);
    bed.handOver("j", "'completions':2,'parallelism':2");
    bed.seconds(10);
    String copy = worker.see("j").uid();
    wrong[0] = true;
    worker.change("j", "{'metadata':{'annotations':{'example.com/seen':'yes'}}}");
    bed.seconds(5);
    wrong[0] = false;
    bed.seconds(100);
    assertThat(worker.see("j").uid()).isEqualTo(copy);
    assertThat(manager.conditions("j")).containsExactly("SuccessCriteriaMet", "Complete");
  }

  @Test
  void aJobRecreatedDuringAnOutageOfTheMirrorGetsItsOwnCopy() {
    bed.handOver("j", "'parallelism':3");
    bed.seconds(10);
    String first = worker.see("j").uid();
    bed.stopMirror();
    manager.delete("j", Propagation.BACKGROUND);
    manager.change("j", "{'metadata':{'finalizers':null}}");
    KubeObject second = bed.handOver("j", "");
    bed.startMirror(worker);
    bed.seconds(20);
    assertThat(worker.see("j").uid()).isNotEqualTo(first);
    assertThat(worker.see("j").labels()).containsEntry(MirrorNames.OF, second.uid());
    bed.seconds(100);
    assertThat(manager.conditions("j")).contains("Complete");
  }

  @Test
  void aMirrorWithAnotherWorkerFailsNoJob() {
    bed.handOver("j", "");
    bed.seconds(10);
    MirrorTestbed.Side other = bed.new Side();
    bed.startMirror(other);
    bed.seconds(30);
    assertThat(manager.mirrored("j")).isEqualTo("OtherWorker");
    assertThat(other.list(Kind.JOB)).isEmpty();
    manager.delete("j", Propagation.BACKGROUND);
    bed.seconds(30);
    assertThat(manager.has("j")).isTrue();

    bed.startMirror(worker);
    bed.seconds(30);
    assertThat(manager.has("j")).isFalse();
    assertThat(worker.has("j")).isFalse();
  }

  @Test
  void oneClusterIsNotMirroredOntoItself() {
    bed.startMirror(manager);
    bed.handOver("j", "");
    bed.seconds(10);
    assertThat(manager.mirrored("j")).isEqualTo("NameTaken");
    assertThat(manager.list(Kind.JOB)).hasSize(1);
  }

  @Test
  @Covers("MB-09")
  void jobsOfOthersAreLeftAloneOnBothSides() {
    manager.create(MirrorTestbed.job("other", "'managedBy':'example.com/other'"));
    manager.create(MirrorTestbed.job("own", "'suspend':true"));
    worker.create(MirrorTestbed.job("theirs", "'suspend':true"));
    bed.seconds(5);
    TreeSet<String> before = versions();
    bed.seconds(60);
    assertThat(versions()).isEqualTo(before);
    assertThat(worker.list(Kind.JOB)).hasSize(1);
  }

  private TreeSet<String> versions() {
    TreeSet<String> versions = new TreeSet<>();
    manager.list(Kind.JOB).forEach(job -> versions.add(job.toString()));
    worker.list(Kind.JOB).forEach(job -> versions.add(job.toString()));
    return versions;
  }

  @Test
  void aTimeToLiveAppliesOnTheManagerAndDeletesTheCopy() {
    bed.handOver("j", "'ttlSecondsAfterFinished':30");
    bed.seconds(80);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(worker.see("j").tree().at("/spec/ttlSecondsAfterFinished").isMissingNode()).isTrue();
    bed.seconds(60);
    assertThat(manager.has("j")).isFalse();
    assertThat(worker.has("j")).isFalse();
  }

  @Test
  void aJobWithASelectorOfItsOwnKeepsIt() {
    manager.create(
        JobBuilder.named("j")
            .managedBy("stint.dev/mirror")
            .spec("'manualSelector':true")
            .selecting("mine", "yes")
            .build());
    bed.seconds(100);
    assertThat(worker.see("j").tree().at("/spec/selector/matchLabels").toString())
        .isEqualTo("{\"mine\":\"yes\"}");
    assertThat(manager.conditions("j")).contains("Complete");
  }

  @Test
  void labelsAndAnnotationsAreCopiedAndOwnersAndFinalizersAreNot() {
    KubeObject job = MirrorTestbed.job("j", "'managedBy':'stint.dev/mirror','suspend':true");
    var tree = job.copy();
    var metadata = tree.withObjectProperty("metadata");
    metadata.putObject("labels").put("team", "a");
    metadata.putObject("annotations").put("note", "b");
    metadata.putArray("finalizers").add("example.com/keep");
    KubeObject owner = manager.create(MirrorTestbed.job("owner", "'suspend':true"));
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", "owner")
        .put("uid", owner.uid());
    manager.create(KubeObject.of(tree));
    bed.seconds(3);
    KubeObject copy = worker.see("j");
    assertThat(copy.labels()).containsAllEntriesOf(Map.of("team", "a"));
    assertThat(copy.annotations()).containsEntry("note", "b");
    assertThat(copy.finalizers()).isEmpty();
    assertThat(copy.tree().at("/metadata/ownerReferences").isMissingNode()).isTrue();
  }
}
