package dev.stint.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * The contract of every {@link Cluster} implementation. Subclasses provide the cluster; all tests
 * of a class may share one.
 */
public abstract class ClusterContract {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private final String namespace = "contract-" + NAMESPACES.incrementAndGet();
  private final List<Watch> watches = new ArrayList<>();

  protected abstract Cluster cluster();

  /** Returns the answer of a request, once it has arrived and everything else has settled. */
  protected abstract <T extends @Nullable Object> T answer(CompletableFuture<T> request);

  /** Makes all revisions so far expire, for example by many changes. */
  protected abstract void expireRevisions();

  @BeforeEach
  void createNamespace() {
    create("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}".formatted(namespace));
  }

  @AfterEach
  void closeWatches() {
    watches.forEach(Watch::close);
  }

  private Reason refusal(CompletableFuture<?> request) {
    Object outcome =
        answer(
            request.<@Nullable Object>handle(
                (value, failure) -> failure == null ? value : ClusterException.causeOf(failure)));
    if (outcome instanceof ClusterException refusal) {
      return refusal.reason();
    }
    throw new AssertionError("not refused: " + outcome);
  }

  private KubeObject create(String json) {
    return answer(cluster().create(object(json)));
  }

  private KubeObject get(ObjectRef ref) {
    return answer(cluster().get(ref));
  }

  private KubeObject patch(ObjectRef ref, String patch) {
    return answer(cluster().patch(ref, tree(patch)));
  }

  private KubeObject patchStatus(ObjectRef ref, String patch) {
    return answer(cluster().patchStatus(ref, tree(patch)));
  }

  private void delete(KubeObject object) {
    answer(cluster().delete(object.ref(), DeleteOptions.only(object.uid())));
  }

  private static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  private static KubeObject object(String json) {
    return KubeObject.of(tree(json));
  }

  private ObjectRef configMap(String name) {
    return new ObjectRef(Kind.CONFIG_MAP, namespace, name);
  }

  /**
   * @param members further members of the metadata
   */
  private String configMap(String name, String members) {
    return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s','namespace':'%s'%s},'data':{'k':'v'}}"
        .formatted(name, namespace, members);
  }

  private KubeObject createConfigMap(String name) {
    return create(configMap(name, ""));
  }

  private KubeObject create(ObjectBuilder<?> object) {
    return answer(cluster().create(object.metadata("'namespace':'" + namespace + "'").build()));
  }

  private KubeObject createPod(String name) {
    return create(PodBuilder.named(name));
  }

  private KubeObject createJob(String name) {
    return create(JobBuilder.named(name).parallelism(2));
  }

  private static @Nullable String data(KubeObject configMap, String key) {
    return Json.text(configMap.tree().get("data"), key);
  }

  private static KubeObject with(KubeObject object, String path, String member, String value) {
    ObjectNode tree = object.copy();
    tree.withObjectProperty(path).put(member, value);
    return KubeObject.of(tree);
  }

  private boolean exists(ObjectRef ref) {
    return answer(cluster().get(ref).handle((_, missing) -> missing == null));
  }

  // --- create, get -------------------------------------------------------------------------------

  @Test
  void whatIsCreatedHasAUidARevisionAndATime() {
    KubeObject created = createConfigMap("a");
    assertThat(created.uid()).isNotEmpty();
    assertThat(created.resourceVersion()).isNotEmpty();
    assertThat(created.creationTimestamp()).isNotNull();
    assertThat(get(created.ref()).tree()).isEqualTo(created.tree());
  }

  @Test
  void whatIsThereCannotBeCreated() {
    createConfigMap("a");
    assertThat(refusal(cluster().create(object(configMap("a", "")))))
        .isEqualTo(Reason.ALREADY_EXISTS);
  }

  @Test
  void namesAreGenerated() {
    String unnamed =
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'generateName':'a-','namespace':'%s'}}"
            .formatted(namespace);
    KubeObject first = create(unnamed);
    KubeObject second = create(unnamed);
    assertThat(List.of(first.name(), second.name())).allMatch(name -> name.matches("a-.+"));
    assertThat(first.name()).isNotEqualTo(second.name());
    assertThat(get(first.ref()).uid()).isEqualTo(first.uid());
  }

  @Test
  void aStatusIsNotCreated() {
    KubeObject created = create(JobBuilder.named("j").status("'succeeded':1"));
    assertThat(Json.integer(created.status(), "succeeded")).isNull();
    assertThat(createPod("p").statusText("phase")).isEqualTo("Pending");
  }

  @Test
  void whatIsMissingIsNotFound() {
    ObjectRef missing = configMap("missing");
    assertThat(refusal(cluster().get(missing))).isEqualTo(Reason.NOT_FOUND);
    assertThat(refusal(cluster().patch(missing, tree("{'data':{'k':'w'}}"))))
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(refusal(cluster().delete(missing, DeleteOptions.only("u"))))
        .isEqualTo(Reason.NOT_FOUND);
    KubeObject deleted = createConfigMap("a");
    delete(deleted);
    assertThat(refusal(cluster().update(deleted))).isEqualTo(Reason.NOT_FOUND);
  }

  // --- update ------------------------------------------------------------------------------------

  @Test
  void anUpdateReplacesWhatItKnows() {
    KubeObject before = createConfigMap("a");
    KubeObject after = answer(cluster().update(with(before, "data", "k", "w")));
    assertThat(data(after, "k")).isEqualTo("w");
    assertThat(after.uid()).isEqualTo(before.uid());
    assertThat(after.creationTimestamp()).isEqualTo(before.creationTimestamp());
    assertThat(after.resourceVersion()).isNotEqualTo(before.resourceVersion());
    assertThat(get(before.ref()).tree()).isEqualTo(after.tree());
  }

  @Test
  void anUpdateOfAnOldRevisionIsAConflict() {
    KubeObject old = createConfigMap("a");
    patch(old.ref(), "{'data':{'k':'w'}}");
    assertThat(refusal(cluster().update(with(old, "data", "k", "x")))).isEqualTo(Reason.CONFLICT);
    assertThat(data(get(old.ref()), "k")).isEqualTo("w");
  }

  @Test
  void anUpdateWithoutARevisionHolds() {
    KubeObject old = createConfigMap("a");
    patch(old.ref(), "{'data':{'k':'w'}}");
    ObjectNode anyRevision = with(old, "data", "k", "x").copy();
    anyRevision.withObjectProperty("metadata").remove("resourceVersion");
    answer(cluster().update(KubeObject.of(anyRevision)));
    assertThat(data(get(old.ref()), "k")).isEqualTo("x");
  }

  @Test
  void anUpdateOfAnotherUidIsAConflict() {
    KubeObject there = createConfigMap("a");
    assertThat(refusal(cluster().update(with(there, "metadata", "uid", "of-another"))))
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void anUpdateLeavesTheStatusAndAStatusUpdateTheSpec() {
    KubeObject job = createJob("j");
    ObjectNode wanted = job.copy();
    wanted.withObjectProperty("metadata").withObjectProperty("labels").put("a", "b");
    wanted.withObjectProperty("spec").put("parallelism", 3);
    wanted.withObjectProperty("status").put("active", 1);
    KubeObject updated = answer(cluster().update(KubeObject.of(wanted)));
    assertThat(Json.integer(updated.spec(), "parallelism")).isEqualTo(3);
    assertThat(Json.integer(updated.status(), "active")).isNull();
    assertThat(updated.labels()).containsEntry("a", "b");

    wanted = updated.copy();
    wanted.withObjectProperty("metadata").withObjectProperty("labels").put("a", "c");
    wanted.withObjectProperty("spec").put("parallelism", 4);
    wanted.withObjectProperty("status").put("active", 1);
    KubeObject after = answer(cluster().updateStatus(KubeObject.of(wanted)));
    assertThat(Json.integer(after.spec(), "parallelism")).isEqualTo(3);
    assertThat(Json.integer(after.status(), "active")).isEqualTo(1);
    assertThat(after.labels()).containsEntry("a", "c");
    assertThat(refusal(cluster().updateStatus(updated))).isEqualTo(Reason.CONFLICT);
  }

  // --- patch -------------------------------------------------------------------------------------

  @Test
  void aPatchMerges() {
    KubeObject before =
        create(configMap("a", ",'labels':{'a':'1','b':'2'},'finalizers':['x.y/1']"));
    KubeObject after =
        patch(
            before.ref(),
            "{'metadata':{'labels':{'a':null,'c':'3'},'finalizers':['x.y/2']},'data':{'l':'m'}}");
    assertThat(after.labels()).containsOnlyKeys("b", "c");
    assertThat(after.finalizers()).containsExactly("x.y/2");
    assertThat(List.of(data(after, "k"), data(after, "l"))).containsExactly("v", "m");
    assertThat(after.resourceVersion()).isNotEqualTo(before.resourceVersion());
  }

  @ParameterizedTest
  @CsvSource({"uid", "resourceVersion"})
  void aPatchMayNameWhatItIsFor(String precondition) {
    KubeObject there = createConfigMap("a");
    String right = Objects.requireNonNull(Json.text(there.metadata(), precondition));
    String wrong = precondition.equals("uid") ? "of-another" : "1";
    String patch = "{'metadata':{'%s':'%s'},'data':{'k':'w'}}";
    assertThat(refusal(cluster().patch(there.ref(), tree(patch.formatted(precondition, wrong)))))
        .isEqualTo(Reason.CONFLICT);
    assertThat(data(get(there.ref()), "k")).isEqualTo("v");
    patch(there.ref(), patch.formatted(precondition, right));
    assertThat(data(get(there.ref()), "k")).isEqualTo("w");
  }

  @Test
  void aPatchLeavesTheStatusAndAStatusPatchTheSpec() {
    KubeObject job = createJob("j");
    String both =
        "{'metadata':{'labels':{'a':'%s'}},'spec':{'parallelism':%d},'status':{'active':1}}";
    KubeObject patched = patch(job.ref(), both.formatted("b", 3));
    assertThat(Json.integer(patched.spec(), "parallelism")).isEqualTo(3);
    assertThat(Json.integer(patched.status(), "active")).isNull();
    assertThat(patched.labels()).containsEntry("a", "b");
    KubeObject after = patchStatus(job.ref(), both.formatted("c", 4));
    assertThat(Json.integer(after.spec(), "parallelism")).isEqualTo(3);
    assertThat(Json.integer(after.status(), "active")).isEqualTo(1);
    assertThat(after.labels()).containsEntry("a", "c");
  }

  @Test
  void aWriteThatChangesNothingIsNoRevision() {
    KubeObject there = createConfigMap("a");
    Seen seen = watch(Kind.CONFIG_MAP, namespace, there.resourceVersion());
    assertThat(answer(cluster().update(there)).resourceVersion())
        .isEqualTo(there.resourceVersion());
    assertThat(patch(there.ref(), "{'data':{'k':'v'}}").resourceVersion())
        .isEqualTo(there.resourceVersion());
    assertThat(seen.untilEnd()).isEmpty();
  }

  // --- delete ------------------------------------------------------------------------------------

  @Test
  void whatIsDeletedIsGoneAndItsNameIsFree() {
    KubeObject first = createConfigMap("a");
    delete(first);
    assertThat(exists(first.ref())).isFalse();
    assertThat(createConfigMap("a").uid()).isNotEqualTo(first.uid());
  }

  @Test
  void aDeletionMayNameAUid() {
    KubeObject there = createConfigMap("a");
    assertThat(refusal(cluster().delete(there.ref(), DeleteOptions.only("of-another"))))
        .isEqualTo(Reason.CONFLICT);
    assertThat(exists(there.ref())).isTrue();
    delete(there);
    assertThat(exists(there.ref())).isFalse();
  }

  @Test
  void finalizersHoldADeletedObject() {
    KubeObject held = create(configMap("a", ",'finalizers':['x.y/1','x.y/2']"));
    delete(held);
    KubeObject marked = get(held.ref());
    assertThat(marked.deletionTimestamp()).isNotNull();
    delete(held);
    assertThat(get(held.ref()).deletionTimestamp()).isEqualTo(marked.deletionTimestamp());
    patch(held.ref(), "{'metadata':{'finalizers':['x.y/2']}}");
    assertThat(exists(held.ref())).isTrue();
    patch(held.ref(), "{'metadata':{'finalizers':null}}");
    assertThat(exists(held.ref())).isFalse();
  }

  @Test
  void aDeletionCannotBeTakenBack() {
    KubeObject held = create(configMap("a", ",'finalizers':['x.y/1']"));
    delete(held);
    ObjectNode back = get(held.ref()).copy();
    back.withObjectProperty("metadata").remove("deletionTimestamp");
    answer(cluster().update(KubeObject.of(back)));
    assertThat(get(held.ref()).deletionTimestamp()).isNotNull();
  }

  @Test
  void anObjectIsDeletedInTheStateThatIsMeant() {
    KubeObject before = createConfigMap("a");
    ObjectNode labelled = before.copy();
    labelled.withObjectProperty("metadata").putObject("labels").put("x", "y");
    KubeObject after = answer(cluster().update(KubeObject.of(labelled)));
    assertThat(refusal(cluster().delete(before.ref(), inState(before)))).isEqualTo(Reason.CONFLICT);
    answer(cluster().delete(before.ref(), inState(after)));
    assertThat(exists(before.ref())).isFalse();
  }

  private static DeleteOptions inState(KubeObject object) {
    return new DeleteOptions(object.uid(), object.resourceVersion(), null, Propagation.BACKGROUND);
  }

  @ParameterizedTest
  @CsvSource({"FOREGROUND,foregroundDeletion", "ORPHAN,orphan"})
  void propagationIsAFinalizer(Propagation propagation, String finalizer) {
    KubeObject owner = createConfigMap("a");
    answer(cluster().delete(owner.ref(), new DeleteOptions(owner.uid(), null, propagation)));
    assertThat(get(owner.ref()).finalizers()).containsExactly(finalizer);
    assertThat(get(owner.ref()).deletionTimestamp()).isNotNull();
    delete(owner);
    assertThat(exists(owner.ref())).isFalse();
  }

  @Test
  void aPodOnANodeIsGivenItsGracePeriod() {
    KubeObject pod =
        create(PodBuilder.named("p").onNode("n").spec("'terminationGracePeriodSeconds':20"));
    delete(pod);
    assertThat(gracePeriod(pod)).isEqualTo(20);
    assertThat(get(pod.ref()).deletionTimestamp()).isNotNull();
    answer(cluster().delete(pod.ref(), new DeleteOptions(pod.uid(), 5L, null)));
    assertThat(gracePeriod(pod)).isEqualTo(5);
    answer(cluster().delete(pod.ref(), new DeleteOptions(pod.uid(), 10L, null)));
    assertThat(gracePeriod(pod)).as("it never grows").isEqualTo(5);
    answer(cluster().delete(pod.ref(), DeleteOptions.now(pod.uid())));
    assertThat(exists(pod.ref())).isFalse();
  }

  private @Nullable Integer gracePeriod(KubeObject pod) {
    return Json.integer(get(pod.ref()).metadata(), "deletionGracePeriodSeconds");
  }

  @Test
  void aPodThatNothingRunsOfGoesAtOnce() {
    KubeObject unscheduled =
        create(PodBuilder.named("p").spec("'schedulingGates':[{'name':'x.y/hold'}]"));
    delete(unscheduled);
    assertThat(exists(unscheduled.ref())).isFalse();
    KubeObject finished = create(PodBuilder.named("q").onNode("n"));
    patchStatus(finished.ref(), "{'status':{'phase':'Succeeded'}}");
    delete(finished);
    assertThat(exists(finished.ref())).isFalse();
  }

  @Test
  void aDeletedNamespaceWaitsForItsFinalizerAndTakesNothingNew() {
    ObjectRef ref = new ObjectRef(Kind.NAMESPACE, "", namespace);
    delete(get(ref));
    KubeObject terminating = get(ref);
    assertThat(Json.text(terminating.status(), "phase")).isEqualTo("Terminating");
    assertThat(refusal(cluster().create(object(configMap("late", "")))))
        .isEqualTo(Reason.FORBIDDEN);
    ObjectNode done = terminating.copy();
    done.withObjectProperty("spec").putArray("finalizers");
    answer(cluster().updateFinalize(KubeObject.of(done)));
    assertThat(exists(ref)).isFalse();
  }

  // --- list, watch -------------------------------------------------------------------------------

  @Test
  void listsAreOfOneKindAndOneNamespaceOrAll() {
    createConfigMap("a");
    createConfigMap("b");
    createPod("p");
    assertThat(answer(cluster().list(Kind.CONFIG_MAP, namespace)).items())
        .extracting(KubeObject::name)
        .containsExactlyInAnyOrder("a", "b");
    assertThat(answer(cluster().list(Kind.CONFIG_MAP, null)).items())
        .extracting(KubeObject::ref)
        .contains(configMap("a"), configMap("b"));
    assertThat(answer(cluster().list(Kind.CONFIG_MAP, "elsewhere")).items()).isEmpty();
  }

  @Test
  void listsComeInPartsToo() {
    createConfigMap("a");
    createConfigMap("b");
    List<String> names = new CopyOnWriteArrayList<>();
    String revision =
        answer(
            cluster()
                .list(
                    Kind.CONFIG_MAP,
                    namespace,
                    part -> {
                      part.items().forEach(item -> names.add(item.name()));
                      return CompletableFuture.completedFuture(null);
                    }));
    assertThat(names).containsExactlyInAnyOrder("a", "b");
    Seen seen = watch(Kind.CONFIG_MAP, namespace, revision);
    assertThat(seen.untilEnd()).isEmpty();
  }

  /** Records what a watch reports. */
  private final class Seen implements WatchHandler {
    private final List<WatchEvent> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final CompletableFuture<@Nullable ClusterException> closed = new CompletableFuture<>();

    @Override
    public void onEvent(WatchEvent event) {
      if (event.object().name().equals("end")) {
        end.complete(null);
      } else {
        events.add(event);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      closed.complete(cause);
    }

    /** Returns everything that is reported before the next change. */
    List<String> untilEnd() {
      createConfigMap("end");
      answer(end);
      return lines();
    }

    List<String> lines() {
      return events.stream().map(event -> event.type() + " " + event.object().name()).toList();
    }
  }

  private Seen watch(Kind kind, @Nullable String of, String afterRevision) {
    Seen seen = new Seen();
    watches.add(cluster().watch(kind, of, afterRevision, seen));
    return seen;
  }

  @Test
  void aWatchReportsEveryLaterChangeOnceAndInOrder() {
    createConfigMap("before");
    ObjectList list = answer(cluster().list(Kind.CONFIG_MAP, namespace));
    Seen seen = watch(Kind.CONFIG_MAP, namespace, list.resourceVersion());
    KubeObject a = createConfigMap("a");
    createPod("of-another-kind");
    KubeObject b = createConfigMap("b");
    KubeObject patched = patch(a.ref(), "{'data':{'k':'w'}}");
    delete(b);
    assertThat(seen.untilEnd()).containsExactly("ADDED a", "ADDED b", "MODIFIED a", "DELETED b");
    assertThat(seen.events.get(0).object().tree()).isEqualTo(a.tree());
    assertThat(seen.events.get(2).object().tree()).isEqualTo(patched.tree());
  }

  @Test
  void aWatchCatchesUp() {
    KubeObject a = createConfigMap("a");
    patch(a.ref(), "{'data':{'k':'w'}}");
    createConfigMap("b");
    Seen seen = watch(Kind.CONFIG_MAP, namespace, a.resourceVersion());
    assertThat(seen.untilEnd()).containsExactly("MODIFIED a", "ADDED b");
  }

  @Test
  void watchesAreOfOneNamespaceOrAll() {
    String revision = answer(cluster().list(Kind.CONFIG_MAP, null)).resourceVersion();
    Seen elsewhere = watch(Kind.CONFIG_MAP, "default", revision);
    Seen everywhere = watch(Kind.CONFIG_MAP, null, revision);
    createConfigMap("a");
    assertThat(everywhere.untilEnd()).containsExactly("ADDED a");
    create(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'end','namespace':'default'}}");
    answer(elsewhere.end);
    assertThat(elsewhere.lines()).isEmpty();
  }

  @Test
  void aDeletionIsReportedWithTheLastStateAndARevisionOfItsOwn() {
    KubeObject held = create(configMap("a", ",'finalizers':['x.y/1']"));
    Seen seen = watch(Kind.CONFIG_MAP, namespace, held.resourceVersion());
    delete(held);
    String marked = get(held.ref()).resourceVersion();
    patch(held.ref(), "{'metadata':{'finalizers':null}}");
    assertThat(seen.untilEnd()).containsExactly("MODIFIED a", "DELETED a");
    KubeObject last = seen.events.getLast().object();
    assertThat(last.uid()).isEqualTo(held.uid());
    assertThat(data(last, "k")).isEqualTo("v");
    assertThat(last.deletionTimestamp()).isNotNull();
    assertThat(last.resourceVersion()).isNotEqualTo(marked);
    Seen after = watch(Kind.CONFIG_MAP, namespace, last.resourceVersion());
    answer(after.end);
    assertThat(after.lines()).isEmpty();
  }

  @Test
  void aClosedWatchReportsNothing() {
    String revision = answer(cluster().list(Kind.CONFIG_MAP, namespace)).resourceVersion();
    Seen closed = new Seen();
    Watch watch = cluster().watch(Kind.CONFIG_MAP, namespace, revision, closed);
    Seen open = watch(Kind.CONFIG_MAP, namespace, revision);
    watch.close();
    createConfigMap("a");
    assertThat(open.untilEnd()).containsExactly("ADDED a");
    assertThat(closed.lines()).isEmpty();
    assertThat(closed.closed).isNotDone();
  }

  @Test
  void aRevisionThatHasExpiredCannotBeWatchedFrom() {
    KubeObject old = createConfigMap("a");
    expireRevisions();
    Seen seen = watch(Kind.CONFIG_MAP, namespace, old.resourceVersion());
    ClusterException cause = Objects.requireNonNull(answer(seen.closed));
    assertThat(cause.reason()).isEqualTo(Reason.GONE);
    String revision = answer(cluster().list(Kind.CONFIG_MAP, namespace)).resourceVersion();
    assertThat(watch(Kind.CONFIG_MAP, namespace, revision).untilEnd()).isEmpty();
  }
}
