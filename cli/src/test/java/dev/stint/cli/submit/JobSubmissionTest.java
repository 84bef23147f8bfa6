package dev.stint.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.FarCluster;
import dev.stint.cli.list.ItemList;
import dev.stint.cli.list.ListJob;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.jobs.JobChanges;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Documents;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The lists of a Job whose name is used again. */
class JobSubmissionTest {
  @TempDir private Path directory;
  private final List<String> said = new ArrayList<>();
  private final JobSubmission.Rules rules =
      new JobSubmission.Rules(
          ExistingJobs.REPLACE, FeatureGates.DEFAULT, pod -> pod.name().endsWith("-ended"));

  private FarCluster far;

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, null, 1000);
  }

  @AfterEach
  void stop() {
    far.close();
  }

  /** Submits the Job, even if one of its name exists; returns the Job. */
  private KubeObject run(ListJob made) throws Exception {
    return run(far.cluster(), made);
  }

  private KubeObject run(Cluster cluster, ListJob made) {
    return new JobSubmission(cluster, rules, Instant::now, said::add, false, _ -> {})
        .apply(List.of(requested(made)), () -> {})
        .getFirst()
        .job();
  }

  private static RequestedJob requested(ListJob made) {
    return RequestedJob.of(Documents.read("--each", Json.bytes(made.job())).getFirst(), made);
  }

  private static ListJob named(int retries, String... items) {
    return ListJob.of(
        ItemList.of(List.of(items)),
        List.of("echo", "{}"),
        new ListJob.Settings("x", retries, 1, null, null, "busybox", null, null));
  }

  private List<KubeObject> lists() {
    return far.cluster().list(Kind.CONFIG_MAP, "default").join().items().stream()
        .filter(map -> map.name().startsWith("x-"))
        .toList();
  }

  private static List<String> owners(KubeObject object) {
    return object
        .tree()
        .at("/metadata/ownerReferences")
        .valueStream()
        .map(owner -> owner.get("uid").asString())
        .toList();
  }

  /** Returns another Job that reads the only existing list, as a rerun does. */
  private String rerun() throws Exception {
    String uid = far.get(far.create("again", 1, 1, "")).uid();
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .set(
            "ownerReferences",
            lists().getFirst().tree().at("/metadata/ownerReferences").deepCopy());
    patch
        .withArray("/metadata/ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", "again")
        .put("uid", uid);
    far.cluster().patch(lists().getFirst().ref(), patch).get();
    return uid;
  }

  @Test
  void anotherListUnderTheSameNameLeavesTheFirstOneToItsReaders() throws Exception {
    run(named(0, "a", "b"));
    KubeObject first = lists().getFirst();
    rerun();
    run(named(0, "c", "d"));
    assertThat(lists()).hasSize(2);
    assertThat(far.get(first.ref()).tree().at("/data/lines-0").asString()).isEqualTo("a\nb\n");
  }

  @Test
  void aListThatNoJobReadsAnyMoreIsDeleted() throws Exception {
    run(named(0, "a", "b"));
    run(named(0, "c", "d"));
    assertThat(lists())
        .singleElement()
        .satisfies(
            map -> assertThat(map.tree().at("/data/lines-0").asString()).isEqualTo("c\nd\n"));
  }

  private void succeeded(KubeObject job, String indexes) {
    ObjectNode status = Json.object();
    status.putObject("status").put("completedIndexes", indexes).put("succeeded", 2);
    far.cluster().patchStatus(job.ref(), status).join();
  }

  @Test
  void aChangedListKeepsTheSuccessesOfItsLines() throws Exception {
    succeeded(run(named(0, "a", "b", "c")), "0,2");
    KubeObject second = run(named(0, "c", "d", "a", "b"));
    assertThat(second.statusText("completedIndexes")).isEqualTo("0,2");
    assertThat(JobChanges.isSuspended(second)).isFalse();
    assertThat(said)
        .containsExactly(
            "x: 2 of 4 lines succeeded before; runs the other 2 (--fresh runs all); the list has"
                + " changed: 1 line is new");
    assertThat(owners(lists().getFirst())).containsExactly(second.uid());
    assertThat(notes()).isEmpty();
  }

  /** A quota is full, or the command is killed there. */
  @Test
  void aJobThatKeepsSuccessesBeginsOnlyOnceItHasItsList() throws Exception {
    succeeded(run(named(0, "a", "b", "c")), "0,2");
    ListJob changed = named(0, "c", "d", "a", "b");
    RefusedLists refusing =
        new RefusedLists(
            far.cluster(), ClusterRequest.Verb.CREATE, Reason.FORBIDDEN, "exceeded quota: few");
    assertThatThrownBy(() -> run(refusing, changed)).hasMessageContaining("exceeded quota");
    KubeObject waiting = far.get(new ObjectRef(Kind.JOB, "default", "x"));
    assertThat(JobChanges.isSuspended(waiting)).isTrue();
    assertThat(waiting.statusText("completedIndexes")).isEqualTo("0,2");
    KubeObject second = run(changed);
    assertKept(second, "0,2", "the quota has room again");
    assertThat(lists()).anyMatch(list -> owners(list).contains(second.uid()));
  }

  @Test
  void aListThatCannotBeReadIsNotAnEmptyOne() throws Exception {
    KubeObject first = run(named(0, "a", "b", "c"));
    succeeded(first, "0,2");
    RefusedLists refusing =
        new RefusedLists(far.cluster(), ClusterRequest.Verb.GET, Reason.INTERNAL, "leader changed");
    ListJob changed = named(0, "a", "d", "c");
    assertThatThrownBy(() -> run(refusing, changed))
        .isInstanceOf(UserException.class)
        .hasMessage(
            "x: its last list, which tells the lines that have succeeded, cannot be read: leader"
                + " changed; run the same command again, or all lines with --fresh");
    assertThat(far.get(first.ref()).uid()).isEqualTo(first.uid());
    assertKept(run(changed), "0,2", "the list can be read again");
  }

  @Test
  void aListThatIsGoneIsNotAnEmptyOne() throws Exception {
    KubeObject first = run(named(0, "a", "b", "c"));
    JobChanges.removeNow(far.cluster(), lists().getFirst());
    KubeObject second = run(named(0, "a", "d", "c"));
    assertThat(second.uid()).as("no line had succeeded").isNotEqualTo(first.uid());
    succeeded(second, "0,2");
    JobChanges.removeNow(far.cluster(), lists().getFirst());
    assertThatThrownBy(() -> run(named(0, "a", "e", "c")))
        .isInstanceOf(UserException.class)
        .hasMessage(
            "x: its last list, which tells the lines that have succeeded, is gone; --fresh runs all"
                + " lines");
  }

  /** A cluster that refuses requests of one kind for lists. */
  private static final class RefusedLists extends ForwardingCluster {
    private final ClusterRequest.Verb verb;
    private final Reason reason;
    private final String why;

    RefusedLists(Cluster cluster, ClusterRequest.Verb verb, Reason reason, String why) {
      super(cluster);
      this.verb = verb;
      this.reason = reason;
      this.why = why;
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      return request.verb() == verb
              && request.ref().kind().equals(Kind.CONFIG_MAP)
              && !request.ref().name().endsWith("-kept-successes")
          ? CompletableFuture.failedFuture(new ClusterException(reason, why))
          : sending.get();
    }
  }

  private List<KubeObject> notes() {
    return far.cluster().list(Kind.CONFIG_MAP, "default").join().items().stream()
        .filter(map -> map.name().endsWith("-kept-successes"))
        .toList();
  }

  @Test
  void linesThatSucceedWhileTheJobIsInterruptedCount() throws Exception {
    KubeObject first = run(named(0, "a", "b", "c"));
    KubeObject second =
        new JobSubmission(
                far.cluster(),
                rules,
                Instant::now,
                said::add,
                true,
                job -> {
                  if (far.get(job.ref()).statusText("completedIndexes") == null) {
                    succeeded(job, "0,2");
                  }
                })
            .apply(List.of(requested(named(3, "a", "b", "c"))), () -> {})
            .getFirst()
            .job();
    assertThat(second.uid()).isNotEqualTo(first.uid());
    assertThat(second.statusText("completedIndexes")).isEqualTo("0,2");
    assertThat(said)
        .containsExactly(
            "x: none of 3 lines succeeded before; runs all; backoffLimitPerIndex 0 → 3",
            "x: 2 of 3 lines succeeded before; runs the other one (--fresh runs all);"
                + " backoffLimitPerIndex 0 → 3");
  }

  /** Requests fail one after the other, as if the process had died; then the command runs again. */
  @Test
  void aCommandThatDiesAtAnyMomentLosesNoSuccess() throws Exception {
    int fatal = 0;
    boolean died;
    do {
      startAgain();
      died = dies(fatal, named(3, "a", "b", "c"));
      assertKept(run(named(3, "a", "b", "c")), "0,2", "death at request " + fatal);
    } while (fatal++ < 5 || died);
  }

  /** The list has changed after the first death. */
  @Test
  void commandsThatDieOneAfterTheOtherLoseNoSuccess() throws Exception {
    for (int first = 0; ; first++) {
      for (int second = 0; ; second++) {
        startAgain();
        boolean died = dies(first, named(3, "a", "b", "c"));
        if (!died && second == 0) {
          assertThat(first).isGreaterThan(5);
          return;
        }
        boolean diedAgain = dies(second, named(3, "c", "d", "a", "b"));
        assertKept(
            run(named(3, "b", "a", "c")), "1,2", "death at requests " + first + ", " + second);
        if (!diedAgain) {
          break;
        }
      }
    }
  }

  /** The Job is gone, and only its rerun tells what has succeeded. */
  @Test
  void aCommandThatDiesWithoutAJobToReplaceLosesNoSuccess() throws Exception {
    int fatal = 0;
    boolean died;
    do {
      startAgain();
      rerunOf("x");
      remove("x");
      died = dies(fatal, named(0, "a", "b", "c"));
      assertKept(run(named(0, "a", "b", "c")), "0,2", "death at request " + fatal);
    } while (fatal++ < 5 || died);
  }

  private void rerunOf(String name) throws Exception {
    ObjectNode rerun = far.get(new ObjectRef(Kind.JOB, "default", name)).copy();
    rerun.remove("status");
    ObjectNode metadata = rerun.withObjectProperty("metadata");
    ObjectNode annotations = metadata.withObjectProperty("annotations");
    ObjectNode copy = Json.object().put("apiVersion", "batch/v1").put("kind", "Job");
    copy.putObject("metadata")
        .put("name", name + "-rerun-1")
        .put("namespace", "default")
        .set("annotations", annotations.put("stint.dev/rerun-of", name));
    ObjectNode spec = (ObjectNode) rerun.get("spec");
    spec.remove("selector");
    ((ObjectNode) spec.at("/template")).remove("metadata");
    copy.set("spec", spec);
    succeeded(far.cluster().create(KubeObject.of(copy)).get(), "0,2");
  }

  private void remove(String name) throws Exception {
    JobChanges.removeNow(far.cluster(), far.get(new ObjectRef(Kind.JOB, "default", name)));
  }

  /** Leaves only a Job whose first and last line have succeeded. */
  private void startAgain() throws Exception {
    for (KubeObject job : far.cluster().list(Kind.JOB, "default").join().items()) {
      JobChanges.removeNow(far.cluster(), job);
    }
    for (KubeObject note : notes()) {
      JobChanges.removeNow(far.cluster(), note);
    }
    succeeded(run(named(0, "a", "b", "c")), "0,2");
  }

  /** Runs a command that dies at a request; false if it needs fewer. */
  private boolean dies(int fatal, ListJob made) {
    DyingCluster dying = new DyingCluster(far.cluster(), fatal);
    try {
      run(dying, made);
    } catch (ClusterException | UserException | IllegalStateException dead) {
      assertThat(dying.left).as("another fault than death: " + dead).isNegative();
    }
    return dying.left < 0;
  }

  private void assertKept(KubeObject job, String indexes, String when) {
    assertThat(job.statusText("completedIndexes")).as(when).isEqualTo(indexes);
    assertThat(JobChanges.isSuspended(job)).as(when).isFalse();
    assertThat(notes()).as(when).isEmpty();
  }

  /** Stint was killed, so that nobody has counted these pods. */
  @Test
  void successesThatNobodyHasCountedAreKept() throws Exception {
    KubeObject job = run(named(0, "a", "b", "c", "d"));
    succeeded(job, "0");
    pod(job, 1, "x-1", "Succeeded");
    pod(job, 2, "x-2-ended", "Running");
    pod(job, 3, "x-3", "Running");
    assertThat(run(named(3, "e", "d", "c", "b", "a")).statusText("completedIndexes"))
        .isEqualTo("2-4");
  }

  private void pod(KubeObject job, int index, String name, String phase) throws Exception {
    ObjectNode pod =
        Json.parse(
            """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "%s", "namespace": "default",
               "annotations": {"batch.kubernetes.io/job-completion-index": "%d"},
               "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "x",
                                    "uid": "%s", "controller": true}]},
             "spec": {"containers": [{"name": "main", "image": "busybox"}]}}
            """
                .formatted(name, index, job.uid()));
    ObjectNode status = Json.object();
    status.putObject("status").put("phase", phase);
    KubeObject made = far.cluster().create(KubeObject.of(pod)).get();
    far.cluster().patchStatus(made.ref(), status).get();
  }

  @Test
  void theSameListIsSharedWithItsOtherReaders() throws Exception {
    run(named(0, "a", "b"));
    String rerun = rerun();
    KubeObject second = run(named(1, "a", "b"));
    assertThat(lists()).hasSize(1);
    assertThat(owners(lists().getFirst())).contains(rerun, second.uid());
    run(named(1, "a", "b"));
    assertThat(owners(lists().getFirst())).containsOnlyOnce(second.uid());
  }

  @Test
  void aListWithoutAnOwnerIsNotAdopted() throws Exception {
    KubeObject own = KubeObject.of(named(0, "a").lists().getFirst());
    ObjectRef ref = far.cluster().create(own).get().ref();
    run(named(0, "a"));
    assertThat(owners(far.get(ref))).isEmpty();
  }

  /** A cluster that answers a number of requests, and none after them. */
  private static final class DyingCluster extends ForwardingCluster {
    private int left;

    DyingCluster(Cluster cluster, int requests) {
      super(cluster);
      this.left = requests;
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      return left-- > 0
          ? sending.get()
          : CompletableFuture.failedFuture(new ClusterException(Reason.UNAVAILABLE, "dead"));
    }
  }
}
