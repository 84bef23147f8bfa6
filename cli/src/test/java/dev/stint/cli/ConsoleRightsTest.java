package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.plane.MetricsServing;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The console of a controller, with the rights that {@code deploy} grants. */
class ConsoleRightsTest {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final String LOG = "jobs/default/hello/log?pod=hello-x&container=main&latest=true";

  /** A request for objects of a namespace, or of all: resource, name, subresource, watch. */
  private static final Pattern REQUEST =
      Pattern.compile(
          "GET /apis?/(?:(\\w+)/)?v1/(?:namespaces/\\w+/)?(\\w+)(?:/([\\w-]+))?(?:/(\\w+))?( watch)?");

  @TempDir private Path directory = Path.of("");
  private FarCluster far;
  private ThreadTimers timers;
  private KubeCluster cluster;
  private MetricsServing serving;
  private ConsoleClient client;

  @BeforeEach
  void start() throws Exception {
    far = new FarCluster(directory, null, 10_000);
    create("base/namespace.yaml");
    Path files = Files.createDirectory(directory.resolve("serviceaccount"));
    timers = new ThreadTimers();
    cluster =
        far.inPod(
            new ObjectRef(Kind.SERVICE_ACCOUNT, "stint-system", "stint-controller"), files, timers);
    create("base/cluster-role.yaml");
    create("base/cluster-role-binding.yaml");
    far.create("hello", 3, 1, "'suspend':true");
    event();
    Recorded printed = Recorded.of("", Map.of(), true, StandardCharsets.UTF_8);
    serving = new MetricsServing(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    serving.serveConsole(cluster, timers, null, printed.console());
    serving.open(() -> true, () -> true, printed.console());
    client = new ConsoleClient(String.join("\n", printed.err()));
    client.enter();
  }

  @AfterEach
  void stop() {
    client.close();
    serving.close();
    cluster.close();
    timers.close();
    far.close();
  }

  private void create(String file) throws Exception {
    far.cluster().create(KubeObject.of((ObjectNode) DeployTest.yaml(DEPLOY.resolve(file)))).get();
  }

  private void event() throws Exception {
    String uid = far.get(new ObjectRef(Kind.JOB, "default", "hello")).uid();
    far.cluster()
        .create(
            KubeObject.of(
                Json.parse(
                    """
                    {"apiVersion":"v1","kind":"Event","metadata":{"name":"hello.1","namespace":"default"},
                     "involvedObject":{"apiVersion":"batch/v1","kind":"Job","name":"hello","namespace":"default",
                       "uid":"%s"},"reason":"Suspended","message":"Job suspended","type":"Normal","count":1}
                    """
                        .formatted(uid))))
        .get();
  }

  private JsonNode events() throws Exception {
    return client.told("live/jobs/default/hello", "events");
  }

  @Test
  void missingRightsAreExplained() throws Exception {
    assertThat(client.told("live/jobs/default/hello", "job").get("state").asString())
        .isEqualTo("Suspended");
    JsonNode events = events();
    assertThat(events.get("events")).isEmpty();
    assertThat(events.get("refused").asString())
        .startsWith("cannot read the events: ")
        .contains("stint-controller", "cannot list resource \"events\"", "deploy/console");
    assertThat(client.get(LOG).body())
        .contains("cannot get resource \"pods/log\"", "deploy/console");
  }

  @Test
  void theRoleOfTheConsoleGrantsExactlyItsRequests() throws Exception {
    create("console/cluster-role.yaml");
    create("console/cluster-role-binding.yaml");
    far.asked.clear();
    assertThat(client.told("live/jobs", "jobs").get("jobs")).hasSize(1);
    JsonNode events = events();
    assertThat(events.has("refused")).isFalse();
    assertThat(events.at("/events/0/message").asString()).isEqualTo("Job suspended");
    assertThat(client.get(LOG).body()).doesNotContain("forbidden");
    assertThat(client.get("jobs/default/hello/attempts").statusCode()).isEqualTo(200);
    assertThat(client.get("jobs/default/hello/document").statusCode()).isEqualTo(200);
    far.until("events are watched", () -> asked().contains("watch /events"));
    far.until("CronJobs are watched", () -> asked().contains("watch batch/cronjobs"));

    TreeSet<String> more = allowed("console/cluster-role.yaml");
    TreeSet<String> all = allowed("base/cluster-role.yaml");
    assertThat(asked()).containsAll(more);
    all.addAll(more);
    assertThat(all).containsAll(asked());
  }

  /** Returns the requests, each as a verb with a group and a resource. */
  private TreeSet<String> asked() {
    TreeSet<String> asked = new TreeSet<>();
    for (String request : far.asked) {
      Matcher parts = REQUEST.matcher(request);
      assertThat(parts.matches()).as(request).isTrue();
      String group = parts.group(1) == null ? "" : parts.group(1);
      String sub = parts.group(4) == null ? "" : "/" + parts.group(4);
      String verb = parts.group(5) != null ? "watch" : parts.group(3) != null ? "get" : "list";
      asked.add(verb + " " + group + "/" + parts.group(2) + sub);
    }
    return asked;
  }

  private static TreeSet<String> allowed(String file) {
    TreeSet<String> allowed = new TreeSet<>();
    for (JsonNode rule : DeployTest.yaml(DEPLOY.resolve(file)).get("rules")) {
      for (JsonNode verb : rule.get("verbs")) {
        for (JsonNode resource : rule.get("resources")) {
          String group = rule.at("/apiGroups/0").asString();
          allowed.add(verb.asString() + " " + group + "/" + resource.asString());
        }
      }
    }
    return allowed;
  }
}
