package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of pods that no node agent runs. */
class PodLogsTest {
  @TempDir private static Path keys;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static Served served;

  @BeforeAll
  static void serve() throws Exception {
    served = new Served(keys, 1000);
    create("bound", "");
    create("unbound", "'schedulingGates': [{'name': 'x/y'}]");
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void aServerWithoutPodsRefusesLogs() throws Exception {
    for (String pod : new String[] {"bound", "unbound"}) {
      HttpResponse<String> answer = get(pod, "");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).contains("this server runs no pods");
    }
  }

  @Test
  void aContainerThatThePodDoesNotHaveIsRefusedFirst() throws Exception {
    for (String pod : new String[] {"bound", "unbound"}) {
      HttpResponse<String> answer = get(pod, "?container=x");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("container x is not valid for pod " + pod);
    }
  }

  @Test
  void aMissingPodIsNotFound() throws Exception {
    HttpResponse<String> answer = get("none", "?container=x");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("pods \\\"none\\\" not found");
  }

  private static HttpResponse<String> get(String pod, String query) throws Exception {
    String path = "/api/v1/namespaces/default/pods/" + pod + "/log" + query;
    return served.send(HttpClient.Version.HTTP_1_1, "GET", path, null, new byte[0]);
  }

  private static void create(String name, String spec) throws Exception {
    served.cluster().create(PodBuilder.named(name).spec(spec).build()).get();
  }
}
