package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.mirror.Mirrored;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Commands on a manager read the pods of mirrored Jobs on the workers. */
class MirroredLogsTest {
  private static FarCluster manager;
  private static FarCluster worker;

  @BeforeAll
  static void begin(@TempDir Path directory) throws Exception {
    manager = new FarCluster(Files.createDirectory(directory.resolve("manager")), null, 10_000);
    worker = new FarCluster(Files.createDirectory(directory.resolve("worker")), null, 10_000);
  }

  @AfterAll
  static void end() {
    manager.close();
    worker.close();
  }

  /** Creates a Job for a mirror, and one of its name on the worker. */
  private static ObjectRef create(String name) throws Exception {
    worker.create(name, 1, 1, "");
    return manager.create(name, 1, 1, "'managedBy':'stint.dev/mirror'");
  }

  private static List<String> run(Recorded recorded, FarCluster at, String flags) {
    List<String> words = new ArrayList<>(List.of(flags.split(" ")));
    words.addAll(List.of("--kubeconfig", at.kubeconfig().toString()));
    recorded.run(words.toArray(String[]::new));
    return recorded.err();
  }

  private static List<String> errors(String flags) {
    return run(Recorded.plain(), manager, flags);
  }

  private static void record(ObjectRef job, String name, String copy) {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put(Mirrored.ASSIGNED, name)
        .put(Mirrored.COPY, copy);
    manager.cluster().patch(job, patch).join();
  }

  private static void complete(FarCluster at, ObjectRef ref) {
    String status =
        "{'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T00:00:01Z',"
            + "'succeeded':1,'completedIndexes':'0','conditions':["
            + "{'type':'SuccessCriteriaMet','status':'True'},{'type':'Complete','status':'True'}]}";
    ObjectNode patch = Json.object();
    patch.set("status", Json.parse(status.replace('\'', '"')));
    at.cluster().patchStatus(ref, patch).join();
  }

  @Test
  void attemptsAreFoundByTheUidOfTheCopyWhateverTheWorkerIsCalled() throws Exception {
    ObjectRef job = create("j");
    KubeObject copy = worker.get(job);
    KubeObject pod = PodBuilder.of(copy, "j-0-abc").index(0).build();
    worker.cluster().create(pod).join();
    String named = " --worker west=" + worker.kubeconfig();
    assertThat(errors("attempts j"))
        .as("a Job that no mirror has yet")
        .containsExactly("stint: j: no such attempts");
    record(job, "west", copy.uid());
    String other = " --worker other=" + manager.kubeconfig();
    Recorded recorded = Recorded.plain();
    run(recorded, manager, "attempts j -o name --worker old=" + worker.kubeconfig() + other);
    assertThat(recorded.out()).as(recorded.errText()).containsExactly("pod/j-0-abc");
    assertThat(errors("attempts j"))
        .containsExactly(
            "stint: the pods and logs of j are on its worker west; name your kubeconfig of that cluster with --worker west=FILE");
    assertThat(errors("logs j" + other))
        .singleElement()
        .asString()
        .startsWith("stint: the copy of j is on its worker west; add --worker west=FILE")
        .contains("other is another cluster than the one with the copy");
    record(job, "west", "gone");
    assertThat(errors("logs j" + named))
        .singleElement()
        .asString()
        .startsWith("stint: the copy of j was not found: west ");
    Recorded shown = Recorded.plain();
    assertThat(run(shown, manager, "show j" + named)).hasSize(1);
    assertThat(shown.out()).isNotEmpty();
    assertThat(run(Recorded.plain(), worker, "logs j --worker x=" + manager.kubeconfig()))
        .containsExactly(
            "stint: j is not mirrored; --worker is not used",
            "stint: j: no such attempt has started");
  }

  @Test
  void logsAreFollowedBeforeThereIsACopyAndWhereTheJobMoves() throws Exception {
    ObjectRef job = create("m");
    String flags =
        " --worker west=" + worker.kubeconfig() + " --worker east=" + manager.kubeconfig();
    assertThat(errors("logs m" + flags))
        .containsExactly(
            "stint: m has no copy on a worker yet: no stint mirror --claim stint.dev/mirror has taken it");
    Recorded recorded = Recorded.plain();
    CompletableFuture<List<String>> run =
        CompletableFuture.supplyAsync(
            () -> run(recorded, manager, "logs m -f" + flags), Thread::startVirtualThread);
    manager.until("it waits", () -> recorded.errText().contains("has taken it; waiting"));
    record(job, "west", worker.get(job).uid());
    worker.until(
        "it follows the copy",
        () -> worker.asked.stream().anyMatch(each -> each.endsWith("/pods watch")));
    record(job, "east", manager.get(job).uid());
    manager.until(
        "it follows the next one", () -> recorded.errText().contains("moved to its worker east"));
    complete(manager, job);
    assertThat(run.get(1, TimeUnit.MINUTES)).hasSize(2);
  }

  @Test
  void aJobThatAnotherControllerTakesIsFollowedWhereItIs() throws Exception {
    ObjectRef other = manager.create("k", 1, 1, "'managedBy':'example.com/other'");
    Recorded recorded = Recorded.plain();
    String flags = " --worker west=" + worker.kubeconfig();
    CompletableFuture<List<String>> run =
        CompletableFuture.supplyAsync(
            () -> run(recorded, manager, "logs k -f" + flags), Thread::startVirtualThread);
    manager.until("it waits", () -> recorded.errText().contains("has taken it; waiting"));
    complete(manager, other);
    assertThat(run.get(1, TimeUnit.MINUTES).getLast())
        .isEqualTo("stint: k is not mirrored; --worker is not used");
  }
}
