package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ObjectList;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import dev.stint.store.StoreOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class KubeClusterTest {
  private ApiFront front;
  private KubeCluster cluster;

  @BeforeEach
  void open() throws Exception {
    front = new ApiFront(StoreOptions.defaults());
    cluster = new KubeCluster(config(front.url()), new TestTime());
  }

  @AfterEach
  void close() {
    cluster.close();
    front.close();
  }

  static Config config(String url) {
    return new ConfigBuilder(Config.empty()).withMasterUrl(url).withRequestTimeout(10_000).build();
  }

  @Test
  void createdObjectsAreReturnedWhole() throws Exception {
    KubeObject created = answer(cluster.create(job("whole")));
    KubeObject stored = answer(front.api.get(ref(Kind.JOB, "whole")));
    assertThat(created.tree()).isEqualTo(stored.tree());
    assertThat(answer(cluster.get(ref(Kind.JOB, "whole"))).tree()).isEqualTo(stored.tree());
    assertThat(created.ref()).isEqualTo(ref(Kind.JOB, "whole"));
    assertThat(front.requests.getFirst().uri())
        .isEqualTo("/apis/batch/v1/namespaces/default/jobs?fieldValidation=Strict");
  }

  @Test
  void unknownFieldsAreKept() throws Exception {
    String document =
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'new','namespace':'default'},"
            + "'spec':{'fromTheFuture':{'a':[1,2.5,null,'ü',9007199254740993]}}}";
    front.answers.add(new ApiFront.Answer(200, document.replace('\'', '"')));
    KubeObject found = answer(cluster.get(ref(Kind.JOB, "new")));
    assertThat(found.tree()).isEqualTo(tree(document));
    front.answers.add(new ApiFront.Answer(200, document.replace('\'', '"')));
    answer(cluster.update(found));
    assertThat(Json.parse(front.requests.getLast().body())).isEqualTo(tree(document));
  }

  @Test
  void refusalsAreTheSameAsInProcess() throws Exception {
    answer(cluster.create(configMap("taken")));
    assertThat(refusal(cluster.create(configMap("taken"))).reason())
        .isEqualTo(Reason.ALREADY_EXISTS);
    ClusterException missing = refusal(cluster.get(ref(Kind.CONFIG_MAP, "missing")));
    assertThat(missing.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(missing)
        .hasMessage(refusal(front.api.get(ref(Kind.CONFIG_MAP, "missing"))).getMessage());
  }

  @Test
  void invalidDocumentsAreRefusedWithThePathsOfAllFaults() throws Exception {
    ObjectNode tree = job("invalid").copy();
    tree.withObjectProperty("spec").put("parallelism", -1).put("completions", -2);
    ClusterException there = refusal(front.api.create(KubeObject.of(tree)));
    ClusterException here = refusal(cluster.create(KubeObject.of(tree)));
    assertThat(here.reason()).isEqualTo(Reason.INVALID);
    assertThat(here.causes())
        .extracting(FieldError::path, FieldError::type, FieldError::detail)
        .containsExactlyElementsOf(
            there.causes().stream()
                .map(fault -> tuple(fault.path(), fault.type(), fault.detail()))
                .toList());
    assertThat(here.causes())
        .extracting(FieldError::path)
        .contains("spec.parallelism", "spec.completions");
  }

  @Test
  void anUpdateOfAnOldRevisionIsAConflict() throws Exception {
    KubeObject first = answer(cluster.create(configMap("c")));
    ObjectNode edited = first.copy();
    edited.withObjectProperty("data").put("k", "changed");
    KubeObject second = answer(cluster.update(KubeObject.of(edited.deepCopy())));
    assertThat(second.resourceVersion()).isNotEqualTo(first.resourceVersion());
    assertThat(Json.text(second.tree().get("data"), "k")).isEqualTo("changed");
    edited.withObjectProperty("data").put("k", "changed again");
    assertThat(refusal(cluster.update(KubeObject.of(edited))).reason()).isEqualTo(Reason.CONFLICT);
  }

  @Test
  void aMergePatchChangesWhatItNamesAndChecksItsUid() throws Exception {
    KubeObject created = answer(cluster.create(configMap("c")));
    String patch = "{'metadata':{'uid':'%s'},'data':{'k':null,'other':'v'}}";
    KubeObject patched = answer(cluster.patch(created.ref(), tree(patch.formatted(created.uid()))));
    assertThat(patched.tree().get("data")).isEqualTo(tree("{'other':'v'}"));
    assertThat(front.requests.getLast().contentType()).startsWith("application/merge-patch+json");
    assertThat(refusal(cluster.patch(created.ref(), tree(patch.formatted("else")))).reason())
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void statusWritesLeaveTheSpecAlone() throws Exception {
    ObjectRef ref = answer(cluster.create(pod("p"))).ref();
    ObjectNode patch = tree("{'spec':{'activeDeadlineSeconds':7},'status':{'phase':'Running'}}");
    KubeObject patched = answer(cluster.patchStatus(ref, patch));
    assertThat(Json.text(patched.status(), "phase")).isEqualTo("Running");
    assertThat(Json.integer(patched.spec(), "activeDeadlineSeconds")).isNull();
    ObjectNode edited = patched.copy();
    edited.withObjectProperty("status").put("phase", "Succeeded");
    KubeObject updated = answer(cluster.updateStatus(KubeObject.of(edited)));
    assertThat(Json.text(updated.status(), "phase")).isEqualTo("Succeeded");
    assertThat(front.requests.getLast().uri())
        .startsWith("/api/v1/namespaces/default/pods/p/status");
  }

  @Test
  void theFinalizersOfANamespaceHaveAPathOfTheirOwn() throws Exception {
    String team =
        "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'team'},'spec':{'finalizers':[]}}";
    front.answers.add(new ApiFront.Answer(200, team.replace('\'', '"')));
    answer(cluster.updateFinalize(KubeObject.of(tree(team))));
    assertThat(front.requests.getLast().uri())
        .isEqualTo("/api/v1/namespaces/team/finalize?fieldValidation=Strict");
    assertThat(Json.parse(front.requests.getLast().body())).isEqualTo(tree(team));
  }

  @Test
  void deletesOnlyTheObjectThatIsMeant() throws Exception {
    KubeObject created = answer(cluster.create(configMap("c")));
    assertThat(refusal(cluster.delete(created.ref(), DeleteOptions.only("else"))).reason())
        .isEqualTo(Reason.CONFLICT);
    DeleteOptions options = new DeleteOptions(created.uid(), 0L, Propagation.FOREGROUND);
    answer(cluster.delete(created.ref(), options));
    assertThat(Json.parse(front.requests.getLast().body()))
        .isEqualTo(
            tree(
                "{'apiVersion':'v1','kind':'DeleteOptions','preconditions':{'uid':'"
                    + created.uid()
                    + "'},'gracePeriodSeconds':0,'propagationPolicy':'Foreground'}"));
  }

  @Test
  void deletedObjectsAreGone() throws Exception {
    KubeObject created = answer(cluster.create(configMap("c")));
    answer(cluster.delete(created.ref(), DeleteOptions.now(created.uid())));
    assertThat(refusal(cluster.get(created.ref())).reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(refusal(cluster.delete(created.ref(), DeleteOptions.now(created.uid()))).reason())
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void withoutANameNothingIsSent() {
    ObjectRef all = ref(Kind.POD, "");
    ClusterException refusal = refusal(cluster.delete(all, DeleteOptions.now("uid")));
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal).hasMessageContaining("metadata.name");
    assertThat(refusal(cluster.get(all)).reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal(cluster.update(KubeObject.of(Json.object()))).reason())
        .isEqualTo(Reason.BAD_REQUEST);
    assertThat(front.requests).isEmpty();
  }

  @Test
  void longListsComeInChunksOfOneRevision() throws Exception {
    List<String> names = IntStream.range(0, 5).mapToObj(i -> "c" + i).toList();
    for (String name : names) {
      answer(front.api.create(configMap(name)));
    }
    front.chunk = 2;
    ObjectList list = answer(cluster.list(Kind.CONFIG_MAP, "default"));
    assertThat(list.items()).extracting(KubeObject::name).isEqualTo(names);
    assertThat(list.items()).allMatch(item -> item.kind().equals(Kind.CONFIG_MAP));
    assertThat(list.items().getFirst().tree())
        .isEqualTo(answer(front.api.get(ref(Kind.CONFIG_MAP, "c0"))).tree());
    assertThat(list.resourceVersion())
        .isEqualTo(answer(front.api.list(Kind.CONFIG_MAP, null)).resourceVersion());
    assertThat(front.requests).hasSize(3);
  }

  @Test
  void anExpiredListIsReadAgainInLargerChunks() throws Exception {
    for (int i = 0; i < 5; i++) {
      answer(front.api.create(configMap("c" + i)));
    }
    front.chunk = 2;
    front.expired = true;
    assertThat(answer(cluster.list(Kind.CONFIG_MAP, null)).items()).hasSize(5);
    assertThat(front.requests.getLast().uri()).isEqualTo("/api/v1/configmaps");
  }

  @Test
  void aRequestIsSentOnceWhateverTheAnswer() throws Exception {
    for (int code : new int[] {429, 500, 503}) {
      front.requests.clear();
      front.answers.add(new ApiFront.Answer(code, ""));
      assertThat(refusal(cluster.create(configMap("c"))).isTransient()).isTrue();
      assertThat(front.requests).hasSize(1);
    }
  }

  @Test
  void answersHaveTheirRetryAfter() throws Exception {
    front.answers.add(new ApiFront.Answer(429, "", "7"));
    assertThat(refusal(cluster.get(ref(Kind.JOB, "j"))).retryAfter())
        .isEqualTo(Duration.ofSeconds(7));
    front.answers.add(new ApiFront.Answer(503, "", "Fri, 31 Dec 2027 23:59:59 GMT"));
    assertThat(refusal(cluster.get(ref(Kind.JOB, "j"))).retryAfter()).isNull();
  }

  @Test
  void aListComesInPartsOfOneRevision() throws Exception {
    for (int i = 0; i < 5; i++) {
      answer(front.api.create(configMap("c" + i)));
    }
    front.chunk = 2;
    List<ObjectList> parts = new ArrayList<>();
    String revision =
        answer(
            cluster.list(
                Kind.CONFIG_MAP, null, part -> CompletableFuture.completedFuture(parts.add(part))));
    assertThat(parts).extracting(part -> part.items().size()).containsExactly(2, 2, 1);
    assertThat(parts).extracting(ObjectList::resourceVersion).containsOnly(revision);
  }

  @Test
  void theVersionIsReadFromTheApi() throws Exception {
    front.answers.add(new ApiFront.Answer(200, "{\"gitVersion\":\"v1.36.0\"}"));
    assertThat(answer(cluster.version())).isEqualTo("v1.36.0");
    assertThat(front.requests.getLast().uri()).isEqualTo("/version");
  }

  @Test
  void answersThatAreNoObjectsAreInternalErrors() {
    front.answers.add(new ApiFront.Answer(200, "<html>Welcome</html>"));
    ClusterException refusal = refusal(cluster.get(ref(Kind.JOB, "j")));
    assertThat(refusal.reason()).isEqualTo(Reason.INTERNAL);
    assertThat(refusal).hasMessageContaining("/jobs/j is not a JSON object");
  }

  @Test
  void anUnreachableApiIsUnavailable() throws Exception {
    try (Socket bound = new Socket()) { // No other program can listen on its port.
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String url = "http://127.0.0.1:" + bound.getLocalPort();
      try (KubeCluster nowhere = new KubeCluster(config(url), new TestTime())) {
        ClusterException refusal = refusal(nowhere.get(ref(Kind.JOB, "j")));
        assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(refusal)
            .hasMessageStartingWith("the Kubernetes API at " + url + "/ does not answer: ");
        assertThat(refusal.getMessage()).doesNotContain("\n");
      }
    }
  }

  @Test
  void aSilentApiIsUnavailable() throws Exception {
    TestTime time = new TestTime();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        KubeCluster nowhere =
            new KubeCluster(config("http://127.0.0.1:" + silent.getLocalPort()), time)) {
      CompletableFuture<?> answer = nowhere.get(ref(Kind.JOB, "j"));
      silent.accept();
      time.advance(Duration.ofMinutes(2));
      assertThat(refusal(answer))
          .hasMessageEndingWith("does not answer: no answer came in time")
          .extracting(ClusterException::reason)
          .isEqualTo(Reason.UNAVAILABLE);
    }
  }

  static <T extends @Nullable Object> T answer(CompletableFuture<T> request) throws Exception {
    return request.get(60, TimeUnit.SECONDS);
  }

  static ClusterException refusal(CompletableFuture<?> request) {
    try {
      Object found = request.get(60, TimeUnit.SECONDS);
      throw new AssertionError("not refused: " + found);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof ClusterException refusal) {
        return refusal;
      }
      throw new AssertionError("not a refusal", failure);
    } catch (Exception failure) {
      throw new AssertionError("no answer", failure);
    }
  }

  static ObjectRef ref(Kind kind, String name) {
    return new ObjectRef(kind, "default", name);
  }

  static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }

  static KubeObject configMap(String name) {
    return KubeObject.of(
        tree(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s'},'data':{'k':'v'}}"
                .formatted(name)));
  }

  static KubeObject pod(String name) {
    return PodBuilder.named(name).command("true").build();
  }

  static KubeObject job(String name) {
    return JobBuilder.named(name).build();
  }
}
