package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stint controller} shows the Jobs of its cluster beside its metrics, and changes none. */
class ConsoleOfAClusterTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void jobsAreShownAfterSignInAndNotChanged() throws Exception {
    try (FarCluster far = new FarCluster(directory, null, 10_000)) {
      far.cluster().create(JobBuilder.named("hello").suspended().build()).get();
      StintProcess controller =
          StintProcess.start(
              directory,
              "controller",
              "--kubeconfig",
              far.kubeconfig().toString(),
              "--metrics-listen",
              "127.0.0.1:0");
      try {
        far.until("it tells the link", () -> ConsoleClient.LINK.matcher(controller.err()).find());
        try (ConsoleClient client = new ConsoleClient(controller.err())) {
          look(client);
        }
      } finally {
        controller.kill();
      }
    }
  }

  private static void look(ConsoleClient client) throws Exception {
    HttpResponse<String> unknown = client.get("session");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'");

    assertThat(client.enter().body()).contains("\"readOnly\":true");
    assertThat(client.told("live/jobs", "jobs").toString())
        .contains("\"name\":\"hello\"", "\"state\":\"Suspended\"");

    HttpResponse<String> refused = client.post("jobs/default/hello/resume", "{}");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("this console is read-only");
  }
}
