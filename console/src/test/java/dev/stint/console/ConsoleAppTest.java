package dev.stint.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.cluster.ClusterException;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ConsoleAppTest {
  private static final String ENDED =
      "\"completedIndexes\":\"0-2\",\"failedIndexes\":\"3\",\"succeeded\":3,\"failed\":2,"
          + "\"startTime\":\"2026-01-01T00:09:00Z\",\"uncountedTerminatedPods\":{},\"ready\":0,\"terminating\":0,"
          + "\"conditions\":[{\"type\":\"FailureTarget\",\"status\":\"True\",\"reason\":\"FailedIndexes\",\"message\":\"m\","
          + "\"lastTransitionTime\":\"2026-01-01T00:10:00Z\",\"lastProbeTime\":\"2026-01-01T00:10:00Z\"},"
          + "{\"type\":\"Failed\",\"status\":\"True\",\"reason\":\"FailedIndexes\",\"message\":\"m\","
          + "\"lastTransitionTime\":\"2026-01-01T00:10:00Z\",\"lastProbeTime\":\"2026-01-01T00:10:00Z\"}]";

  @TempDir private Path directory = Path.of("");
  private ConsoleTestBed bed = new ConsoleTestBed(directory);
  private ConsoleApp site = bed.site(false);
  private String cookie = "";

  @BeforeEach
  void open() {
    bed.close();
    bed = new ConsoleTestBed(directory);
    site = bed.site(false);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private ApiResponse ask(
      String method, String path, @Nullable String body, Map<String, String> more)
      throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("Host", "127.0.0.1:6443");
    headers.put("Sec-Fetch-Site", "same-origin");
    headers.put("Cookie", cookie);
    if (body != null) {
      headers.put("X-Stint-Console", "1");
      headers.put("Content-Type", "application/json");
    }
    headers.putAll(more);
    String[] parts = path.split("\\?", 2);
    return site.answer(
        Call.anonymous(
            ApiCatalogue.EMPTY,
            method,
            parts[0],
            parts.length > 1 ? parts[1] : null,
            headers::get,
            () -> body == null ? new byte[0] : body.getBytes(UTF_8)));
  }

  private ApiResponse get(String path) throws IOException {
    return ask("GET", path, null, Map.of());
  }

  private ApiResponse post(String path, String body) throws IOException {
    return ask("POST", path, body, Map.of());
  }

  private static String text(ApiResponse reply) {
    return new String(((ApiResponse.Whole) reply).body(), UTF_8);
  }

  private static JsonNode json(ApiResponse reply) {
    return Json.read(((ApiResponse.Whole) reply).body());
  }

  private static List<String> header(ApiResponse reply, String name) {
    return reply.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(ApiResponse.Header::value)
        .toList();
  }

  private ApiResponse enter() throws IOException {
    String ticket = bed.links.getLast().replaceFirst("/console/#sign-in=", "");
    ApiResponse reply = post("/console/api/session", "{\"ticket\":\"" + ticket + "\"}");
    cookie = header(reply, "Set-Cookie").getFirst().split(";", -1)[0];
    return reply;
  }

  @Test
  void thePrintedLinkSignsInOneBrowserWithAProtectedCookie() throws IOException {
    String used = bed.links.getFirst();
    assertThat(used).startsWith("/console/#sign-in=");
    ApiResponse reply = enter();
    assertThat(reply.code()).isEqualTo(200);
    assertThat(header(reply, "Set-Cookie"))
        .singleElement()
        .asString()
        .matches("stint-console-6443=[\\w-]{43}; Path=/console; HttpOnly; SameSite=Strict; Secure");
    assertThat(json(get("/console/api/session")))
        .hasToString("{\"about\":\"a test\",\"readOnly\":false,\"simulates\":true}");
    assertThat(bed.links).hasSize(2);
    ApiResponse again =
        post("/console/api/session", "{\"ticket\":\"" + used.replaceFirst(".*=", "") + "\"}");
    assertThat(again.code()).isEqualTo(401);
    assertThat(header(again, "Set-Cookie")).isEmpty();
  }

  @Test
  void withoutTheCookieEveryRequestIsRefused() throws IOException {
    bed.indexed("hello", 2);
    for (String path :
        List.of(
            "session",
            "live/jobs",
            "live/jobs/default/hello",
            "jobs/default/hello/document",
            "jobs/default/hello/log?pod=p&container=c",
            "jobs/default/hello/simulation",
            "simulations/a.svg",
            "kinds",
            "kinds/reports.example.com",
            "nothing")) {
      assertThat(get("/console/api/" + path).code()).as(path).isEqualTo(401);
    }
    assertThat(post("/console/api/jobs/default/hello/suspend", "{}").code()).isEqualTo(401);
    cookie = "stint-console-6443=guessed";
    assertThat(get("/console/api/session").code()).isEqualTo(401);
  }

  /** The page would ask for a sign-in, which changes nothing. */
  @Test
  void aClusterThatRefusesTheConsoleDoesNotEndTheSession() throws IOException {
    enter();
    bed.refusal = new ClusterException(ClusterException.Reason.UNAUTHORIZED, "Unauthorized");
    ApiResponse reply = get("/console/api/jobs/default/hello/document");
    assertThat(reply.code()).isEqualTo(502);
    assertThat(json(reply).get("error").stringValue())
        .isEqualTo("the cluster does not know this console: Unauthorized");
    assertThat(get("/console/api/session").code()).isEqualTo(200);
  }

  /** Records for whom the server holds a request. */
  private record Identified(List<String> users) implements Call.Body {
    @Override
    public byte[] read() {
      return new byte[0];
    }

    @Override
    public void identify(User user) {
      users.add(user.name());
    }
  }

  @Test
  void aSessionCountsAsAUserAndAnybodyElseAsUnknown() throws IOException {
    enter();
    List<String> users = new ArrayList<>();
    for (String each : List.of(cookie, "stint-console-6443=guessed", "")) {
      Map<String, String> headers = Map.of("Host", "127.0.0.1:6443", "Cookie", each);
      site.answer(
          Call.anonymous(
              ApiCatalogue.EMPTY,
              "GET",
              "/console/api/session",
              null,
              headers::get,
              new Identified(users)));
    }
    assertThat(users)
        .containsExactly("stint:console", User.ANONYMOUS.name(), User.ANONYMOUS.name());
  }

  @Test
  void signingOutEndsTheSession() throws IOException {
    enter();
    String before = cookie;
    ApiResponse reply = ask("DELETE", "/console/api/session", "{}", Map.of());
    assertThat(header(reply, "Set-Cookie").getFirst()).contains("Max-Age=0");
    cookie = before;
    assertThat(get("/console/api/session").code()).isEqualTo(401);
  }

  @Test
  void streamsEndWithTheSession() throws IOException {
    enter();
    ApiResponse live = get("/console/api/live/jobs");
    ask("DELETE", "/console/api/session", "{}", Map.of());
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> streamed(live))
        .withMessage("the session has ended");
  }

  @Test
  void eachResponseHasAPolicyThatAllowsOnlyOwnContent() throws IOException {
    enter();
    bed.indexed("hello", 2);
    List<ApiResponse> answers =
        List.of(
            get("/console"),
            get("/console/assets/app.js"),
            get("/console/assets/nothing.js"),
            get("/console/api/session"),
            get("/console/api/live/jobs"),
            get("/console/api/jobs/default/missing/document"),
            ask("PUT", "/console/", "{}", Map.of()),
            ask("POST", "/console/api/session", "{}", Map.of("Origin", "http://evil.example")));
    for (ApiResponse answer : answers) {
      assertThat(header(answer, "Content-Security-Policy"))
          .singleElement()
          .asString()
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(header(answer, "X-Content-Type-Options")).containsExactly("nosniff");
    }
  }

  @Test
  void pagesHaveNoExternalOrInlineContent() throws IOException {
    ApiResponse page = get("/console/jobs/default/whatever");
    assertThat(page.type()).startsWith("text/html");
    assertThat(text(page))
        .contains("<main")
        .doesNotContainPattern("style=|<style|<script>|\\son\\w+=");
    for (String name : List.of("index.html", "console.css", "app.js", "job.js", "heatmap.js")) {
      ApiResponse asset = get("/console/assets/" + name);
      assertThat(asset.code()).as(name).isEqualTo(200);
      assertThat(text(asset))
          .as(name)
          .doesNotContainPattern("(src|href|url\\(|import.*)[=\"' ]*https?:");
    }
    assertThat(get("/console/assets/../ConsoleApp.class").code()).isEqualTo(404);
  }

  @Test
  void anotherSiteCannotMakeThisBrowserChangeAnything() throws IOException {
    enter();
    KubeObject job = bed.indexed("hello", 2);
    String path = "/console/api/jobs/default/hello/suspend";
    String body = "{\"uid\":\"" + job.uid() + "\"}";
    for (Map<String, String> foreign :
        List.of(
            Map.of("Sec-Fetch-Site", "cross-site"),
            Map.of("Sec-Fetch-Site", "same-site"),
            Map.of("Origin", "https://127.0.0.1:8080"),
            Map.of("X-Stint-Console", ""),
            Map.of("Content-Type", "text/plain"))) {
      assertThat(ask("POST", path, body, foreign).code()).as(foreign.toString()).isEqualTo(403);
    }
    assertThat(JobChanges.isSuspended(bed.job("hello"))).isFalse();
  }

  @Test
  void actionsChangeOnlyTheJobWithTheGivenUid() throws IOException {
    enter();
    KubeObject job = bed.indexed("hello", 2);
    String path = "/console/api/jobs/default/hello/";
    String body = "{\"uid\":\"" + job.uid() + "\",\"reason\":\"wrong input\"}";
    assertThat(json(post(path + "suspend", body)).get("message").stringValue())
        .isEqualTo("hello is suspended");
    assertThat(JobChanges.isSuspended(bed.job("hello"))).isTrue();
    assertThat(post(path + "resume", body).code()).isEqualTo(200);
    assertThat(post(path + "resume", "{\"uid\":\"another\"}").code()).isEqualTo(409);
    assertThat(post(path + "explode", body).code()).isEqualTo(404);
    assertThat(post(path + "resume", "[]").code()).isEqualTo(422);
    assertThat(post(path + "cancel", body).code()).isEqualTo(200);
    assertThat(bed.job("hello").status())
        .asString()
        .contains("cancelled in the console: wrong input", "Cancelled");
  }

  @Test
  void aJobIsDeletedOnce() throws IOException {
    enter();
    KubeObject job = bed.indexed("hello", 2);
    String path = "/console/api/jobs/default/hello/delete";
    assertThat(post(path, "{\"uid\":\"another\"}").code()).isEqualTo(409);
    String body = "{\"uid\":\"" + job.uid() + "\"}";
    assertThat(json(post(path, body)).get("message").stringValue())
        .isEqualTo("hello is deleted; its logs are kept");
    assertThat(post(path, body).code()).isIn(404, 409);
  }

  @Test
  void failedIndexesRunAgainInANewJob() throws IOException {
    enter();
    KubeObject job = bed.status(bed.indexed("hello", 4), ENDED);
    String path = "/console/api/jobs/default/hello/";
    String uid = "{\"uid\":\"" + job.uid() + "\"";
    JsonNode done = json(post(path + "rerun", uid + "}"));
    assertThat(done.get("message").stringValue())
        .isEqualTo("hello-rerun-1 reruns index 3 of hello and keeps 3 successes");
    assertThat(bed.job("hello-rerun-1").status()).asString().contains("\"0-2\"");
    assertThat(post(path + "rerun", uid + ",\"indexes\":\"1-\"}").code()).isEqualTo(422);
    ApiResponse late = post(path + "suspend", uid + "}");
    assertThat(late.code()).isEqualTo(409);
    assertThat(text(late)).contains("hello is finished");
  }

  @Test
  void theListOfAJobIsSharedWithItsRerun() throws IOException {
    enter();
    KubeObject job =
        bed.create(
            JobBuilder.indexed("each")
                .completions(4)
                .spec("'backoffLimitPerIndex':1")
                .podSpec(
                    "'volumes':[{'name':'items','projected':{'sources':[{'configMap':{'name':'items'}}]}},"
                        + "{'name':'gone','configMap':{'name':'gone'}}]"));
    ObjectRef items = new ObjectRef(Kind.CONFIG_MAP, "default", "items");
    ApiCalls.await(
        bed.cluster()
            .create(
                KubeObject.of(
                    Json.parse(
                        """
                        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"items","namespace":"default",
                         "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"each","uid":"%s"}]}}
                        """
                            .formatted(job.uid())))));
    bed.status(job, ENDED);
    post("/console/api/jobs/default/each/rerun", "{\"uid\":\"" + job.uid() + "\"}");
    assertThat(ApiCalls.await(bed.cluster().get(items)).tree().at("/metadata/ownerReferences"))
        .extracting(owner -> owner.get("uid").stringValue())
        .containsExactly(job.uid(), bed.job("each-rerun-1").uid());
  }

  @Test
  void aReadOnlyConsoleChangesNothing() throws IOException {
    site = bed.site(true);
    enter();
    KubeObject job = bed.indexed("hello", 2);
    ApiResponse refused =
        post("/console/api/jobs/default/hello/suspend", "{\"uid\":\"" + job.uid() + "\"}");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(JobChanges.isSuspended(bed.job("hello"))).isFalse();
  }

  @Test
  void theDocumentIsShownAsYamlAndJson() throws IOException {
    enter();
    bed.indexed("hello", 2);
    assertThat(text(get("/console/api/jobs/default/hello/document?format=yaml")))
        .contains("completionMode: Indexed")
        .doesNotContain("managedFields");
    assertThat(text(get("/console/api/jobs/default/hello/document?format=json")))
        .contains("\"completionMode\" : \"Indexed\"");
    assertThat(get("/console/api/jobs/default/missing/document").code()).isEqualTo(404);
    assertThat(get("/console/api/live/jobs/default/missing").code()).isEqualTo(404);
  }

  private static KubeObject object(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  private void defineReports() {
    bed.create(
        object(
            """
            {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
             'metadata': {'name': 'reports.example.com'},
             'spec': {'group': 'example.com', 'scope': 'Namespaced',
              'names': {'plural': 'reports', 'kind': 'Report'},
              'versions': [
               {'name': 'v1alpha1', 'served': true, 'storage': false,
                'schema': {'openAPIV3Schema': {'type': 'object'}}},
               {'name': 'v1', 'served': true, 'storage': true,
                'schema': {'openAPIV3Schema': {'type': 'object', 'properties': {'spec': {
                 'type': 'object', 'properties': {'size': {'type': 'integer'}}}}}}}]}}
            """));
  }

  @Test
  void customKindsTheirObjectsAndDocumentsAreShown() throws IOException {
    enter();
    assertThat(json(get("/console/api/kinds"))).hasToString("{\"kinds\":[]}");
    defineReports();
    bed.create(
        object(
            "{'apiVersion': 'example.com/v1', 'kind': 'Report', 'spec': {'size': 7},"
                + " 'metadata': {'name': 'weekly', 'namespace': 'default'}}"));
    assertThat(json(get("/console/api/kinds")))
        .hasToString(
            "{\"kinds\":[{\"name\":\"reports.example.com\",\"kind\":\"Report\","
                + "\"apiVersion\":\"example.com/v1\",\"namespaced\":true}]}");
    JsonNode reports = json(get("/console/api/kinds/reports.example.com"));
    assertThat(reports.path("total").asInt()).isEqualTo(1);
    assertThat(reports.at("/objects/0/name").asString()).isEqualTo("weekly");
    String document = "/console/api/kinds/reports.example.com/document?namespace=default&name=";
    assertThat(text(get(document + "weekly&format=yaml")))
        .contains("kind: Report", "size: 7")
        .doesNotContain("managedFields");
    assertThat(text(get(document + "weekly&format=json"))).contains("\"size\" : 7");
    assertThat(get(document + "missing").code()).isEqualTo(404);
    assertThat(get("/console/api/kinds/others.example.com").code()).isEqualTo(404);
    assertThat(get("/console/api/kinds/reports.example.com/nothing").code()).isEqualTo(404);
  }

  @Test
  void attemptsAndLogsOfDeletedPodsAreShown() throws Exception {
    enter();
    KubeObject job = bed.indexed("hello", 2);
    Path pod = Files.createDirectories(directory.resolve("default/hello/hello-1-x"));
    Files.writeString(pod.resolve("main.0.stdout"), "one\ntwo\n");
    Files.writeString(
        directory.resolve("default/hello/_attempts.jsonl"),
        "{\"pod\":\"hello-1-x\",\"uid\":\"u\",\"index\":1,\"jobUid\":\"%s\",\"container\":\"main\",\"attempt\":0,\"exitCode\":7,\"reason\":\"Error\",\"startedAt\":\"2026-01-01T00:00:01Z\",\"finishedAt\":\"2026-01-01T00:00:03Z\"}\n"
            .formatted(job.uid()));
    JsonNode found = json(get("/console/api/jobs/default/hello/attempts?index=1"));
    assertThat(found.get("attempts").get(0))
        .asString()
        .contains("\"exitCode\":7", "\"seconds\":2.0", "\"logBytes\":8");
    assertThat(json(get("/console/api/jobs/default/hello/attempts?index=0")).get("total"))
        .hasToString("0");
    assertThat(json(get("/console/api/jobs/default/hello/attempts")).get("total")).hasToString("1");
    assertThat(
            streamed(
                get(
                    "/console/api/jobs/default/hello/log?pod=hello-1-x&container=main&run=0&tail=1&follow=true")))
        .isEqualTo("two\n");
    ApiResponse file =
        get(
            "/console/api/jobs/default/hello/log?pod=hello-1-x&container=main&run=0&tail=1&download=true");
    assertThat(streamed(file)).isEqualTo("one\ntwo\n");
    assertThat(header(file, "Content-Disposition"))
        .containsExactly("attachment; filename=\"hello-1-x.main.0.log\"");
  }

  @Test
  void itemsAreFoundByTextAndByIndex() throws IOException {
    enter();
    bed.create(
        JobBuilder.indexed("files")
            .completions(3)
            .annotation("stint.dev/items", "data/One.txt\ndata/two.txt\nlast"));
    String path = "/console/api/jobs/default/files/items?";
    assertThat(json(get(path + "text=one")).get("items"))
        .hasToString("[{\"index\":0,\"item\":\"data/One.txt\"}]");
    assertThat(json(get(path + "text=DATA")).get("items")).hasSize(2);
    assertThat(json(get(path + "index=2")).get("items"))
        .hasToString("[{\"index\":2,\"item\":\"last\"}]");
    assertThat(json(get(path + "index=3")).get("items")).isEmpty();
    bed.indexed("plain", 2);
    assertThat(json(get("/console/api/jobs/default/plain/items?text=a")).get("items")).isEmpty();
  }

  @Test
  void aJobIsSimulatedWithItsAttempts() throws Exception {
    bed.pod(bed.indexed("hello", 2), 0, "hello-0", "'phase':'Running'".replace('\'', '"'));
    enter();
    assertThat(streamed(get("/console/api/jobs/default/hello/simulation")))
        .contains("\"why\":\"hello has attempts: 1\"", "stint simulate FILE --like hello");
    assertThat(get("/console/api/jobs/default/other/simulation").code()).isEqualTo(404);
    assertThat(get("/console/api/simulations/a.svg").code()).isEqualTo(404);
    assertThat(
            ask(
                    "GET",
                    "/console/api/jobs/default/hello/simulation",
                    null,
                    Map.of("Sec-Fetch-Site", "same-site"))
                .code())
        .isEqualTo(403);
  }

  @Test
  void aNameThatLeadsOutOfTheDirectoryIsRefused() throws IOException {
    enter();
    for (String query :
        List.of(
            "pod=..&container=main",
            "pod=p&container=../x",
            "pod=&container=",
            "pod=p%00&container=main",
            "pod=p&container=main&run=9999999999")) {
      assertThat(get("/console/api/jobs/default/hello/log?" + query).code())
          .as(query)
          .isEqualTo(422);
    }
    assertThat(get("/console/api/jobs/../hello/log?pod=p&container=main").code()).isEqualTo(422);
    assertThat(get("/console/api/jobs/../hello/attempts").code()).isBetween(400, 499);
    assertThat(get("/console/api/jobs/default/hello/attempts?index=9999999999").code())
        .isEqualTo(422);
    Stream.of("..", "")
        .forEach(name ->
            assertThat(codeOf("/console/api/jobs/default/" + name + "/attempts"))
                .isBetween(400, 499));
  }

  private int codeOf(String path) {
    try {
      return get(path).code();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static String streamed(ApiResponse reply) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ((ApiResponse.Streamed) reply)
        .body()
        .writeTo(
            new ApiResponse.Sink() {
              @Override
              public void write(byte[] bytes) {
                out.writeBytes(bytes);
              }

              @Override
              public void onClose(Runnable task) {}
            });
    return out.toString(UTF_8);
  }
}
