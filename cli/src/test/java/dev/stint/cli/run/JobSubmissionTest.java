package dev.stint.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.FarCluster;
import dev.stint.cli.list.ItemList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Documents;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The lists of a Job whose name is used again. */
class JobSubmissionTest {
  @TempDir private Path directory;
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
  private KubeObject run(EachJob made) throws Exception {
    RequestedJob requested =
        RequestedJob.of(Documents.read("--each", Json.bytes(made.job())).getFirst(), made.lists());
    return new JobSubmission(far.cluster(), true).apply(List.of(requested)).getFirst().job();
  }

  private static EachJob named(int retries, String... items) {
    return EachJob.of(
        ItemList.of(List.of(items)),
        List.of("echo", "{}"),
        new EachJob.Settings("x", retries, 1, null, null, "busybox", null));
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
  void anotherListUnderTheSameNameLeavesTheFirstOneAlone() throws Exception {
    run(named(0, "a", "b"));
    KubeObject first = lists().getFirst();
    run(named(0, "c", "d"));
    assertThat(lists()).hasSize(2);
    assertThat(far.get(first.ref()).tree().at("/data/lines-0").asString()).isEqualTo("a\nb\n");
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
}
