package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.protobuf.ProtobufDocument;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
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

  @AfterEach
  void close() {
    api.close();
  }

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

    /** Returns the path of the object. */
    String object() {
      return text("path").replaceFirst("\\?.*", "").replaceFirst("/status$", "");
    }

    /** Returns the document that is sent; null if there is none. */
    @Nullable ObjectNode document() {
      if (!text("method").equals("PUT") && !text("method").equals("DELETE")) {
        return null;
      }
      return tree.has("base64") ? ProtobufDocument.read(body()) : Json.parse(body());
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
      int expected = request.tree.path("code").asInt();
      int code = code(request);
      if (code == 409 && expected != 409) {
        code = codeWithCurrentRevision(request);
      }
      if (code != expected) {
        others.add(code + " to " + request.tree);
      }
    }
    assertThat(others).isEmpty();
  }

  private int code(Request request) {
    return api.reply(
            request.text("method"), request.text("path"), request.body(), request.headers())
        .code();
  }

  /**
   * Sends a request with the revision and uid of this server, if it names those of the server that
   * it was recorded with; labels of Jobs have the uid too. Otherwise the conflict stays one.
   */
  private int codeWithCurrentRevision(Request request) {
    ObjectNode document = request.document();
    ObjectNode named =
        Json.objectAt(
            document, request.text("method").equals("PUT") ? "metadata" : "preconditions");
    if (named == null) {
      return 409;
    }
    HttpApi.Answer current = api.get(request.object());
    if (named.has("resourceVersion")) {
      named.put("resourceVersion", current.at("/metadata/resourceVersion"));
    }
    String uid = named.path("uid").asString("no uid");
    return api.call(
            request.text("method"),
            request.text("path"),
            String.valueOf(document).replace(uid, current.at("/metadata/uid")),
            Map.of("Content-Type", "application/json"))
        .code();
  }
}
