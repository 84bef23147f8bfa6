package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code stint controller} shows the Jobs of its cluster beside its metrics, and changes none. */
class ConsoleOfAClusterTest {
  private static final Pattern LINK =
      Pattern.compile("console: (http://127\\.0\\.0\\.1:\\d+)/console/#sign-in=(\\S+)");

  @TempDir private Path directory = Path.of("");

  private static HttpRequest.Builder asking(String url, String cookie) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Sec-Fetch-Site", "same-origin")
        .header("Cookie", cookie);
  }

  private static HttpRequest posting(String url, String cookie, String body) {
    return asking(url, cookie)
        .header("Content-Type", "application/json")
        .header("X-Stint-Console", "1")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private static @Nullable JsonNode firstFrame(HttpResponse<InputStream> stream) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          return Json.parse(line.substring("data: ".length()));
        }
      }
      return null;
    }
  }

  @Test
  void itsJobsAreShownToWhoHasTheLinkAndNothingIsChanged() throws Exception {
    try (FarCluster far = new FarCluster(directory, null, 10_000);
        HttpClient client = HttpClient.newHttpClient()) {
      far.cluster()
          .create(
              KubeObject.of(
                  Json.parse(
                      """
                      {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"hello","namespace":"default"},
                       "spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never",
                         "containers":[{"name":"main","image":"none"}]}}}}
                      """)))
          .get();
      StintProcess controller =
          StintProcess.start(
              directory,
              "controller",
              "--kubeconfig",
              far.kubeconfig().toString(),
              "--metrics-listen",
              "127.0.0.1:0");
      try {
        far.until("it tells the link", () -> LINK.matcher(controller.err()).find());
        Matcher link = LINK.matcher(controller.err());
        assertThat(link.find()).isTrue();
        String api = link.group(1) + "/console/api/";

        HttpResponse<String> unknown =
            client.send(asking(api + "session", "").GET().build(), BodyHandlers.ofString());
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.headers().firstValue("Content-Security-Policy").orElse(""))
            .contains("default-src 'none'");

        HttpResponse<String> entered =
            client.send(
                posting(api + "session", "", "{\"ticket\":\"" + link.group(2) + "\"}"),
                BodyHandlers.ofString());
        assertThat(entered.body()).contains("\"readOnly\":true");
        String cookie = entered.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];

        JsonNode frame =
            firstFrame(
                client.send(
                    asking(api + "live/jobs", cookie).GET().build(), BodyHandlers.ofInputStream()));
        assertThat(String.valueOf(frame)).contains("\"name\":\"hello\"", "\"state\":\"Suspended\"");

        HttpResponse<String> refused =
            client.send(
                posting(api + "jobs/default/hello/resume", cookie, "{}"), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("nothing can be changed here");
      } finally {
        controller.kill();
      }
    }
  }
}
