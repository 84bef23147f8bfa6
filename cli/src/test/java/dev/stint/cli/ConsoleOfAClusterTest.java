package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code stint controller} shows the Jobs of its cluster beside its metrics, and changes none. Its
 * log has no link: whoever may read a log may not sign in by that.
 */
class ConsoleOfAClusterTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  @TempDir private Path directory = Path.of("");

  @Test
  void jobsAreShownAfterSignInAndNotChanged() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    try (FarCluster far = new FarCluster(directory, null, 10_000)) {
      far.cluster().create(JobBuilder.named("hello").suspended().build()).get();
      StintProcess controller =
          StintProcess.start(
              directory,
              "controller",
              "--kubeconfig",
              far.kubeconfig().toString(),
              "--metrics-listen",
              "127.0.0.1:0",
              "--console-token-file",
              token.toString());
      try {
        far.until(
            "it tells the address", () -> ConsoleClient.LINE.matcher(controller.err()).find());
        try (ConsoleClient client = new ConsoleClient(controller.err(), TOKEN)) {
          look(client);
        }
        assertThat(controller.err()).contains("--console-token-file").doesNotContain("#sign-in=");
      } finally {
        controller.kill();
      }
    }
  }

  @Test
  void aTokenThatNobodyCanUseIsRefused() {
    Recorded recorded = Recorded.plain();
    int status =
        recorded.run("controller", "--kubeconfig", "/none", "--console-token-file", "/none");
    assertThat(status).isEqualTo(2);
    assertThat(recorded.err())
        .containsExactly("stint: --console-token-file requires --metrics-listen ADDRESS:PORT");
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
