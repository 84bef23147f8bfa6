package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.ThreadTimers;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of a user who may read Jobs and pods, but neither events nor logs. */
class LimitedRightsTest {
  @TempDir private Path directory;
  private FarCluster far;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, Duration.ofMillis(20), 10_000);
    Path files = Files.createDirectory(directory.resolve("account"));
    try (ThreadTimers timers = new ThreadTimers()) {
      far.inPod(new ObjectRef(Kind.SERVICE_ACCOUNT, "default", "reader"), files, timers).close();
    }
    create(
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','metadata':{'name':'reader',"
            + "'namespace':'default'},'rules':[{'apiGroups':['batch'],'resources':['jobs'],"
            + "'verbs':['get','list']},{'apiGroups':[''],'resources':['pods'],'verbs':['list']}]}");
    create(
        "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':"
            + "'reader','namespace':'default'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'Role','name':'reader'},'subjects':[{'kind':'ServiceAccount','name':'reader',"
            + "'namespace':'default'}]}");
    String text = Files.readString(far.kubeconfig());
    String token = Files.readString(files.resolve("token")).strip();
    kubeconfig =
        Files.writeString(
            directory.resolve("reader.kubeconfig"), text.replace(far.pki.adminToken(), token));
    ObjectRef job = far.create("hello", 1, 1, "");
    KubeObject pod =
        far.cluster().create(PodBuilder.of(far.get(job), "hello-0").index(0).build()).get();
    far.until(
        "the pod has run",
        () -> !"Pending".equals(Json.text(far.get(pod.ref()).status(), "phase")));
  }

  @AfterEach
  void stop() {
    far.close();
  }

  private void create(String text) throws Exception {
    far.cluster().create(KubeObject.of(Json.parse(text.replace('\'', '"')))).get();
  }

  private Recorded stint(int status, String... args) {
    Recorded recorded = Recorded.plain();
    String[] all = java.util.Arrays.copyOf(args, args.length + 1);
    all[args.length] = "--kubeconfig=" + kubeconfig;
    assertThat(recorded.run(all)).as(recorded.err().toString()).isEqualTo(status);
    return recorded;
  }

  @Test
  void aJobIsShownWithoutItsEvents() {
    Recorded show = stint(0, "show", "hello");
    assertThat(show.out()).anyMatch(line -> line.startsWith("hello in default: "));
    assertThat(show.err())
        .singleElement()
        .asString()
        .startsWith("stint: events are not shown: ")
        .contains("forbidden");
  }

  @Test
  void logsThatMayNotBeReadFailTheCommand() {
    Recorded logs = stint(2, "logs", "hello");
    assertThat(logs.out()).isEmpty();
    assertThat(logs.err())
        .singleElement()
        .asString()
        .startsWith("stint: [0 #1] ")
        .contains("forbidden");
    stint(2, "logs", "hello", "--stderr", "--by-time");
  }
}
