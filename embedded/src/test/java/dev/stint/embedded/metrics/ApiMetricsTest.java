package dev.stint.embedded.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.covers.Covers;
import dev.stint.embedded.Served;
import dev.stint.model.Json;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The metrics of requests, and their labels. */
class ApiMetricsTest {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  @TempDir private Path keys;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private Served served;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    served = new Served(keys, 10_000, new ApiMetrics(registry));
    client = served.client(HttpClient.Version.HTTP_1_1);
  }

  @AfterEach
  void stop() {
    client.close();
    served.close();
  }

  private HttpResponse<String> send(String agent, String method, String path, String body)
      throws Exception {
    HttpRequest request =
        served
            .request(path)
            .header("User-Agent", agent)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    return client.send(request, BodyHandlers.ofString(UTF_8));
  }

  /** Returns the counts by the values of labels, in the order of their names. */
  private double answered(String... labels) {
    return registry.scrape().stream()
        .filter(each -> each.getMetadata().getName().equals("apiserver_request"))
        .map(CounterSnapshot.class::cast)
        .flatMap(each -> each.getDataPoints().stream())
        .filter(point -> List.of(labels).stream().allMatch(label -> has(point, label)))
        .mapToDouble(CounterDataPointSnapshot::getValue)
        .sum();
  }

  private static boolean has(CounterDataPointSnapshot point, String label) {
    String[] parts = label.split("=", 2);
    return parts[1].equals(point.getLabels().get(parts[0]));
  }

  @Test
  @Covers("MB-37")
  void twoControllersThatFightOverAJobAreVisible() throws Exception {
    String made =
        send(
                "kubectl/v1.36",
                "POST",
                JOBS,
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'fought'},'spec':"
                    + "{'managedBy':'example.com/one','template':{'spec':{'restartPolicy':'Never',"
                    + "'containers':[{'name':'c','image':'x'}]}}}}")
            .body();
    ObjectNode known = Json.parse(made);
    List<String> turns = new ArrayList<>();
    for (String agent : List.of("one/v1", "two/v1", "one/v1", "two/v1")) {
      HttpResponse<String> answer = write(agent, known);
      while (answer.statusCode() == 409) {
        answer = write(agent, Json.parse(send(agent, "GET", JOBS + "/fought", "").body()));
      }
      for (JsonNode entry : Json.parse(answer.body()).at("/metadata/managedFields")) {
        if (entry.path("subresource").asString("").equals("status")) {
          assertThat(entry.path("time").asString()).isNotEmpty();
          turns.add(entry.path("manager").asString());
        }
      }
    }
    assertThat(turns).containsExactly("one", "two", "one", "two");
    assertThat(answered("code=409", "group=batch", "resource=jobs", "subresource=status"))
        .isEqualTo(3);
    assertThat(answered("code=200", "verb=PUT", "resource=jobs", "subresource=status"))
        .isEqualTo(4);
  }

  /** The two disagree on the number of active pods. */
  private HttpResponse<String> write(String agent, ObjectNode known) throws Exception {
    known.withObjectProperty("status").put("active", agent.startsWith("one") ? 1 : 2);
    return send(agent, "PUT", JOBS + "/fought/status", known.toString());
  }

  @Test
  void theNumberOfCountersIsLimited() throws Exception {
    for (int i = 0; i < 5; i++) {
      send("a/1", "GET", "/apis/nobody.example.com/v" + i + "/things" + i, "");
      send("a/1", "GET", "/nothing/" + i, "");
      send("a/1", "VERB" + i, JOBS + "/x/part" + i, "");
    }
    assertThat(answered("resource=")).isEqualTo(10);
    assertThat(answered("resource=jobs", "verb=OTHER", "subresource=", "scope=resource"))
        .isEqualTo(5);
    assertThat(counters()).isLessThanOrEqualTo(4);
  }

  @Test
  void listsWatchesAndClusterScopeHaveTheirOwnLabels() throws Exception {
    send("a/1", "GET", JOBS, "");
    send("a/1", "GET", "/apis/batch/v1/jobs", "");
    send("a/1", "GET", JOBS + "/none", "");
    assertThat(answered("verb=LIST", "scope=namespace", "code=200")).isEqualTo(1);
    assertThat(answered("verb=LIST", "scope=cluster", "code=200")).isEqualTo(1);
    assertThat(answered("verb=GET", "scope=resource", "code=404")).isEqualTo(1);
    assertThat(answered("component=apiserver", "dry_run=")).isEqualTo(3);
    RequestMetrics.NONE.onAnswer(
        new RequestMetrics.Labels("GET", false, "", "v1", "pods", "", "resource"), 200);
    assertThat(answered("resource=pods")).isZero();
  }

  private long counters() {
    return registry.scrape().stream()
        .flatMap(each -> ((CounterSnapshot) each).getDataPoints().stream())
        .count();
  }
}
