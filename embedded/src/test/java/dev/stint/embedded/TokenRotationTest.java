package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.access.pki.AdminToken;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose admin's token is replaced while it serves. */
class TokenRotationTest {
  @TempDir private Path data;

  @Test
  void aRunningServerRefusesTheFormerTokenAndAcceptsTheNewOne() throws Exception {
    Path keys = data.resolve("pki");
    try (Served api = new Served(keys, 1000)) {
      String former = api.token;
      assertThat(status(api, former)).isEqualTo(200);
      Files.setLastModifiedTime(
          keys.resolve("admin.token"), FileTime.from(Instant.now().minusSeconds(60)));
      AdminToken.rotate(keys, data.resolve("kubeconfig"));
      assertThat(status(api, former)).isEqualTo(401);
      assertThat(status(api, Files.readString(keys.resolve("admin.token")).strip())).isEqualTo(200);
    }
  }

  @Test
  void aTokenOfAServiceAccountLivesForAYearAtMost() throws Exception {
    try (Served api = new Served(data.resolve("pki"), 1000)) {
      String accounts = "/api/v1/namespaces/default/serviceaccounts";
      post(api, accounts, "{\"metadata\":{\"name\":\"robot\"}}");
      HttpResponse<String> answer =
          post(api, accounts + "/robot/token", "{\"spec\":{\"expirationSeconds\":4294967296}}");
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.body()).contains("\"expirationSeconds\":31536000");
      assertThat(answer.headers().allValues("Warning"))
          .containsExactly(
              "299 - \"requested expiration of 4294967296 seconds shortened to 31536000 seconds\"");
    }
  }

  @Test
  void aTokenIsForTheAccountOfThePodThatItIsBoundToAndForTheOneOfItsPath() throws Exception {
    try (Served api = new Served(data.resolve("pki"), 1000)) {
      String namespace = "/api/v1/namespaces/default";
      String tokens = namespace + "/serviceaccounts/robot/token";
      post(api, namespace + "/serviceaccounts", "{\"metadata\":{\"name\":\"robot\"}}");
      post(
          api,
          namespace + "/pods",
          "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
      HttpResponse<String> answer =
          post(
              api,
              tokens,
              "{\"spec\":{\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"a\"}}}");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("to pod running with different serviceaccount name");
      assertThat(post(api, tokens, "{\"metadata\":{\"name\":\"other\"}}").body())
          .contains("metadata.name", "must match the service account name if specified");
      assertThat(post(api, tokens, "{\"metadata\":{\"namespace\":\"other\"}}").statusCode())
          .isGreaterThanOrEqualTo(400);
      assertThat(post(api, tokens, "{\"metadata\":{\"name\":\"robot\"}}").statusCode())
          .isEqualTo(201);
    }
  }

  private static HttpResponse<String> post(Served api, String path, String body) throws Exception {
    return api.send(
        HttpClient.Version.HTTP_2, "POST", path, "application/json", body.getBytes(UTF_8));
  }

  private static int status(Served api, String token) throws Exception {
    try (HttpClient client = api.client(HttpClient.Version.HTTP_2)) {
      return client
          .send(
              api.request(Served.TARGET).setHeader("Authorization", "Bearer " + token).build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    }
  }
}
