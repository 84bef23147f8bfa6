package dev.stint.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents that are valid JSON, and whose answers are hard to write. */
class HostileDocumentsTest {
  @TempDir private Path keys;
  private Served api;

  @BeforeEach
  void serve() throws Exception {
    api = new Served(keys, 1000);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @ParameterizedTest
  @EnumSource
  void hundredsOfUnknownFieldsAreWarnedAboutWithinTheLimits(Version version) throws Exception {
    String unknown =
        IntStream.range(0, 300)
            .mapToObj(i -> "\"unknown%03d%s\":1".formatted(i, "é".repeat(i % 2 == 0 ? 0 : 400)))
            .collect(Collectors.joining(","));
    List<String> warnings = warnings(version, unknown);
    assertThat(warnings).hasSizeBetween(20, 100);
    assertThat(warnings.stream().mapToInt(HostileDocumentsTest::textLength).sum())
        .isLessThan(4096 + 256);
  }

  @ParameterizedTest
  @EnumSource
  void hundredsOfShortWarningsArriveToo(Version version) throws Exception {
    String unknown =
        IntStream.range(0, 300).mapToObj(i -> "\"u" + i + "\":1").collect(Collectors.joining(","));
    assertThat(warnings(version, unknown)).hasSize(100);
  }

  @ParameterizedTest
  @EnumSource
  void warningsThatAreTwiceAsLongOnceQuotedArriveToo(Version version) throws Exception {
    String quotes = "\\\"".repeat(240);
    String unknown =
        IntStream.range(0, 300)
            .mapToObj(i -> "\"u%d%s\":1".formatted(i, quotes))
            .collect(Collectors.joining(","));
    assertThat(warnings(version, unknown)).hasSizeBetween(16, 17);
  }

  /** Returns the warnings about a new object with these fields, once its connection serves on. */
  private List<String> warnings(Version version, String fields) throws Exception {
    String body =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"odd\"},"
            + fields
            + "}";
    try (HttpClient client = api.client(version)) {
      HttpResponse<String> answer = post(client, body);
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(
              client
                  .send(api.request(Served.TARGET).build(), HttpResponse.BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
      return answer.headers().allValues("Warning");
    }
  }

  private HttpResponse<String> post(HttpClient client, String body) throws Exception {
    return client.send(
        api.request(Served.CONFIG_MAPS)
            .header("Content-Type", "application/json")
            .POST(java.net.http.HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Returns the characters of a text, which a header carries as the bytes of its UTF-8. */
  private static int textLength(String warning) {
    String text = new String(warning.getBytes(ISO_8859_1), UTF_8);
    return text.length() - "299 - \"\"".length();
  }

  static Stream<Arguments> halvesOfSurrogates() {
    String half = "\\ud800";
    return Stream.of(
        Arguments.of("POST", "json", "{'metadata':{'name':'a'},'data':{'" + half + "':'b'}}"),
        Arguments.of("POST", "json", "{'metadata':{'name':'b'},'data':{'a':'" + half + "'}}"),
        Arguments.of("POST", "json", "{'metadata':{'name':'c'},'x" + half + "':1}"),
        Arguments.of(
            "POST", "json", "{'metadata':{'name':'d','annotations':{'a':'" + half + "x'}}}"),
        Arguments.of("POST", "json", "{'metadata':{'name':'" + half + "'}}"),
        Arguments.of("POST", "json", "{'metadata':{'name':'e'},'kind':'" + half + "'}"),
        Arguments.of("POST", "json", "{'metadata':{'name':'f'},'apiVersion':'" + half + "'}"),
        Arguments.of(
            "POST",
            "json",
            "{'metadata':{'name':'g','managedFields':[{'manager':'m','operation':'Update',"
                + "'apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'f:"
                + half
                + "':{}}}]}}"),
        Arguments.of("PATCH", "merge-patch+json", "{'data':{'a':'" + half + "'}}"),
        Arguments.of("PATCH", "merge-patch+json", "{'x" + half + "':'" + half + "'}"),
        Arguments.of("PATCH", "strategic-merge-patch+json", "{'data':{'" + half + "':'a'}}"),
        Arguments.of(
            "PATCH", "strategic-merge-patch+json", "{'$" + half + "':{'$patch':'" + half + "'}}"),
        Arguments.of(
            "PATCH",
            "json-patch+json",
            "[{'op':'add','path':'/data/" + half + "','value':'" + half + "'}]"),
        Arguments.of("PATCH", "json-patch+json", "[{'op':'" + half + "','path':'/" + half + "'}]"),
        Arguments.of(
            "PATCH",
            "apply-patch+yaml",
            "{'apiVersion':'v1','kind':'ConfigMap','data':{'" + half + "':'" + half + "'}}"));
  }

  @ParameterizedTest
  @MethodSource("halvesOfSurrogates")
  void halfASurrogatePairNeverFailsAnAnswer(String method, String type, String body)
      throws Exception {
    String path =
        method.equals("POST") ? Served.CONFIG_MAPS : Served.TARGET + "?fieldManager=m&force=true";
    if (!type.startsWith("apply")) {
      path = path.replace("&force=true", "");
    }
    HttpResponse<String> answer =
        api.send(
            Version.HTTP_1_1,
            method,
            path,
            "application/" + type,
            body.replace('\'', '"').getBytes(UTF_8));
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(500);
    assertThat(
            api.send(Version.HTTP_1_1, "GET", Served.CONFIG_MAPS, null, new byte[0]).statusCode())
        .isEqualTo(200);
  }

  @Test
  void halfASurrogatePairIsStoredAsTheReplacementCharacter() throws Exception {
    HttpResponse<String> answer =
        api.send(
            Version.HTTP_1_1,
            "PATCH",
            Served.TARGET,
            "application/merge-patch+json",
            "{\"data\":{\"a\":\"x\\udc00\"}}".getBytes(UTF_8));
    assertThat(answer.body()).contains("x\uFFFD");
  }
}
