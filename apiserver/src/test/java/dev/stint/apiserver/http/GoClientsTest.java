package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.model.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replays what Go's clients send: client-go's typed, dynamic and metadata clients, their informers
 * and leases, and the client and manager of controller-runtime. Each request is recorded with its
 * headers, its body as it was sent, and the status code of the answer.
 */
class GoClientsTest {
  private static final String CONVERSATION = "go-clients.jsonl.gz";

  private final HttpApi api = new HttpApi(ApiServer.Options.defaults().withNamespacesThatExist());

  private record Request(ObjectNode tree) {
    String text(String member) {
      return Objects.requireNonNullElse(Json.text(tree, member), "");
    }

    Map<String, String> headers() {
      Map<String, String> headers = new HashMap<>();
      Json.forEachText(tree, "headers", headers::put);
      return headers;
    }

    byte[] body() {
      return tree.has("base64")
          ? Base64.getDecoder().decode(text("base64"))
          : text("body").getBytes(StandardCharsets.UTF_8);
    }

    /** True if the request names a revision or a uid of the server that it was recorded with. */
    boolean isAboutARevision() {
      return text("method").equals("PUT") || text("method").equals("DELETE");
    }
  }

  private static List<Request> requests() throws IOException {
    List<Request> requests = new ArrayList<>();
    try (InputStream data =
            Objects.requireNonNull(GoClientsTest.class.getResourceAsStream(CONVERSATION));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(data), StandardCharsets.UTF_8))) {
      lines.lines().map(Json::parse).map(Request::new).forEach(requests::add);
    }
    return requests;
  }

  @Test
  void noRequestIsRefusedThatAServerAccepts() throws IOException {
    api.post("/api/v1/namespaces", "{'metadata': {'name': 'default'}}");
    List<Request> requests = requests();
    assertThat(requests).hasSizeGreaterThan(80);
    List<String> others = new ArrayList<>();
    for (Request request : requests) {
      ApiResponse answer =
          api.reply(
              request.text("method"), request.text("path"), request.body(), request.headers());
      int expected = request.tree.path("code").asInt();
      boolean stale = answer.code() == 409 && request.isAboutARevision();
      if (answer.code() != expected && !stale) {
        others.add(answer.code() + " to " + request.tree);
      }
    }
    assertThat(others).isEmpty();
    api.close();
  }
}
