package dev.stint.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.User;
import dev.stint.apiserver.audit.AuditFormat;
import dev.stint.apiserver.audit.AuditPolicy;
import dev.stint.apiserver.audit.AuditPolicyFile;
import dev.stint.apiserver.audit.AuditRecord;
import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.apiserver.audit.Auditor;
import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.apiserver.http.HttpApi.Answer;
import dev.stint.cluster.ClusterException;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** The events that requests leave on the audit trail. */
class AuditedCallsTest {
  private static final User JANE = User.of("jane", "devs", User.AUTHENTICATED);
  private static final Map<String, String> NOBODY = Map.of("Authorization", "");

  private static final ApiResponse.Sink NO_SINK =
      new ApiResponse.Sink() {
        @Override
        public void write(byte[] bytes) {}

        @Override
        public void onClose(Runnable task) {}
      };

  private static final WebSocketSession.Frames NO_FRAMES =
      new WebSocketSession.Frames() {
        @Override
        public void send(byte[] message) {}

        @Override
        public void sendText(String message) {}

        @Override
        public byte @Nullable [] receive() {
          return null;
        }

        @Override
        public void onClose(Runnable task) {}
      };

  @TempDir private Path directory = Path.of("");
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void anEventSaysWhoDidWhatWhenFromWhereAndHowItWent() throws Exception {
    try (HttpApi api = api("- level: Metadata")) {
      Map<String, String> agent = Map.of("User-Agent", "kubectl/v1.36", "Audit-Id", "mine");
      api.call("POST", HttpApi.JOBS + "?fieldManager=a%20b", JobBuilder.named("j").json(), agent);
    }
    ObjectNode event = only("ResponseComplete");
    String uid = event.at("/objectRef/uid").stringValue();
    event.withObjectProperty("objectRef").remove("uid");
    assertThat(uid).isNotEmpty();
    assertThat(event)
        .isEqualTo(
            HttpApi.tree(
                """
                {'kind': 'Event', 'apiVersion': 'audit.k8s.io/v1', 'level': 'Metadata',
                 'auditID': 'mine', 'stage': 'ResponseComplete',
                 'requestURI': '/apis/batch/v1/namespaces/default/jobs?fieldManager=a%20b',
                 'verb': 'create',
                 'user': {'username': 'stint-admin',
                          'groups': ['system:masters', 'system:authenticated']},
                 'sourceIPs': ['127.0.0.1'], 'userAgent': 'kubectl/v1.36',
                 'objectRef': {'resource': 'jobs', 'namespace': 'default', 'name': 'j',
                               'apiGroup': 'batch', 'apiVersion': 'v1'},
                 'responseStatus': {'metadata': {}, 'code': 201},
                 'requestReceivedTimestamp': '2026-11-23T10:00:00.000000Z',
                 'stageTimestamp': '2026-11-23T10:00:00.000000Z',
                 'annotations': {'authorization.k8s.io/decision': 'allow',
                                 'authorization.k8s.io/reason': 'group system:masters'}}
                """));
  }

  @Test
  void eachStageHasAnEventOfTheSameId() throws Exception {
    try (HttpApi api = api("- level: Metadata")) {
      Answer answer = api.get(HttpApi.PODS);
      assertThat(answer.code()).isEqualTo(200);
    }
    assertThat(stages()).containsExactly("RequestReceived", "ResponseComplete");
    assertThat(texts("/auditID").stream().distinct()).hasSize(1);
    assertThat(events().getFirst().has("responseStatus")).isFalse();
  }

  @Test
  void theAnswerHasTheIdOfItsEvents() throws Exception {
    try (HttpApi api = api("- level: Metadata")) {
      ApiResponse reply = api.reply("GET", HttpApi.PODS, new byte[0], Map.of());
      assertThat(reply.headers())
          .contains(new ApiResponse.Header("Audit-Id", texts("/auditID").getFirst()));
    }
  }

  @Test
  void aWatchHasAnEventWhenItBeginsAndOneWhenItEnds() throws Exception {
    try (HttpApi api = api("- level: Metadata")) {
      api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("c", "{}"));
      out.reset();
      api.watch(
          HttpApi.CONFIG_MAPS
              + "?watch=1&sendInitialEvents=true"
              + "&resourceVersionMatch=NotOlderThan",
          "*/*",
          1);
    }
    assertThat(stages()).containsExactly("RequestReceived", "ResponseStarted", "ResponseComplete");
    assertThat(texts("/verb")).containsOnly("watch");
    assertThat(events().getLast().at("/responseStatus/code").intValue()).isEqualTo(200);
  }

  /** The transport refuses what there is no place for after the API has answered. */
  @Test
  void aWatchThatIsRefusedAtTheLimitHasAnEvent() throws Exception {
    try (HttpApi api = api("- level: Metadata")) {
      ApiResponse reply = api.reply("GET", HttpApi.CONFIG_MAPS + "?watch=1", new byte[0], Map.of());
      ClusterException full =
          new ClusterException(ClusterException.Reason.TOO_MANY_REQUESTS, "too many watches");
      ((ApiResponse.Streamed) reply).body().onRefused(ApiResponse.refused(full));
    }
    assertThat(stages()).containsExactly("RequestReceived", "ResponseComplete");
    assertThat(events().getLast().at("/responseStatus/code").intValue()).isEqualTo(429);
    assertThat(events().getLast().at("/responseStatus/message").stringValue())
        .isEqualTo("too many watches");
  }

  @Test
  void anUpgradeThatIsRefusedHasAnEvent() throws Exception {
    Map<String, String> upgrade = Map.of("Upgrade", "websocket", "Connection", "Upgrade");
    try (HttpApi api = api("- level: Metadata")) {
      ApiResponse reply = api.reply("GET", HttpApi.CONFIG_MAPS + "?watch=1", new byte[0], upgrade);
      ClusterException broken =
          new ClusterException(ClusterException.Reason.BAD_REQUEST, "unable to upgrade");
      ((ApiResponse.Upgraded) reply).conversation().onRefused(ApiResponse.refused(broken));
    }
    assertThat(stages()).containsExactly("RequestReceived", "ResponseComplete");
    assertThat(events().getLast().at("/responseStatus/code").intValue()).isEqualTo(400);
  }

  @Test
  void aListThatIsWrittenInPiecesIsRecordedWhole() throws Exception {
    try (HttpApi api = api("- level: RequestResponse")) {
      String large = "{'large': '" + "x".repeat(40_000) + "'}";
      for (String name : List.of("a", "b", "c")) {
        api.post(
            HttpApi.CONFIG_MAPS,
            "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': '%s'}, 'data': %s}"
                .formatted(name, large));
      }
      out.reset();
      assertThat(api.get(HttpApi.CONFIG_MAPS).code()).isEqualTo(200);
    }
    assertThat(stages()).containsExactly("RequestReceived", "ResponseComplete");
    assertThat(events().getLast().at("/responseObject/items")).hasSize(3);
  }

  @Test
  void aGeneratedNameIsKnownFromTheAnswer() throws Exception {
    String name;
    try (HttpApi api = api("- level: Metadata")) {
      String map = HttpApi.configMap("x", "{}").replace("'name': 'x'", "'generateName': 'x-'");
      name = api.post(HttpApi.CONFIG_MAPS, map).at("/metadata/name");
    }
    assertThat(name).startsWith("x-");
    assertThat(only("ResponseComplete").at("/objectRef/name").stringValue()).isEqualTo(name);
  }

  @Test
  void anImpersonatedUserStandsBesideTheRealOne() throws Exception {
    try (HttpApi api = api("- level: Metadata\n  users: [stint-admin]")) {
      assertThat(api.callAs(JANE, "DELETE", HttpApi.PODS + "/p", "", Map.of()).code())
          .isEqualTo(403);
    }
    ObjectNode event = only("ResponseComplete");
    assertThat(event.at("/user/username").stringValue()).isEqualTo("stint-admin");
    assertThat(event.at("/impersonatedUser"))
        .isEqualTo(
            HttpApi.tree("{'username': 'jane', 'groups': ['devs', 'system:authenticated']}"));
    assertThat(event.at("/responseStatus/message").stringValue())
        .startsWith("pods \"p\" is forbidden: User \"jane\" cannot delete resource \"pods\"");
    event.withObjectProperty("responseStatus").remove("message");
    assertThat(event.at("/responseStatus"))
        .isEqualTo(
            HttpApi.tree(
                """
                {'metadata': {}, 'status': 'Failure', 'reason': 'Forbidden',
                 'details': {'name': 'p', 'kind': 'pods'}, 'code': 403}
                """));
    assertThat(event.at("/annotations/authorization.k8s.io~1decision").stringValue())
        .isEqualTo("forbid");
  }

  @Test
  void badCredentialsLeaveAnEventOfNobody() throws Exception {
    try (HttpApi api = api("- level: Metadata")) {
      Map<String, String> wrong = Map.of("Authorization", "Bearer wrong");
      assertThat(api.call("GET", HttpApi.PODS, "", wrong).code()).isEqualTo(401);
    }
    ObjectNode event = only("ResponseStarted");
    assertThat(event.at("/user")).isEqualTo(Json.object());
    assertThat(event.at("/responseStatus/code").intValue()).isEqualTo(401);
    assertThat(event.at("/responseStatus/message").stringValue())
        .isEqualTo("Authentication failed, attempted: bearer");
  }

  @ParameterizedTest
  @CsvSource({
    "None, '', false, false",
    "Metadata, Metadata, false, false",
    "Request, Request, true, false",
    "RequestResponse, RequestResponse, true, true",
  })
  void theLevelSaysHowMuchIsRecorded(
      String level, String recorded, boolean request, boolean response) throws Exception {
    try (HttpApi api = api("- level: " + level + "\n  omitStages: [RequestReceived]")) {
      api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("c", "{'a': 'b'}"));
    }
    assertThat(texts("/level")).isEqualTo(recorded.isEmpty() ? List.of() : List.of(recorded));
    assertThat(events().stream().anyMatch(e -> e.at("/requestObject/metadata/labels").has("a")))
        .isEqualTo(request);
    assertThat(events().stream().anyMatch(e -> e.at("/responseObject/metadata").has("uid")))
        .isEqualTo(response);
  }

  @Test
  void bodiesAreRecordedAsJson() throws Exception {
    try (HttpApi api = api("- level: RequestResponse")) {
      String yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n";
      Map<String, String> headers =
          Map.of("Content-Type", "application/apply-patch+yaml", "Accept", "application/yaml");
      String target = HttpApi.CONFIG_MAPS + "/c?fieldManager=m";
      assertThat(api.call("PATCH", target, yaml, headers).code()).isEqualTo(201);
    }
    ObjectNode event = only("ResponseComplete");
    assertThat(event.at("/requestObject/data/a").stringValue()).isEqualTo("b");
    assertThat(event.at("/responseObject/data/a").stringValue()).isEqualTo("b");
  }

  @Test
  void aBodyThatIsNoJsonIsLeftOut() throws Exception {
    try (HttpApi api = api("- level: Request")) {
      assertThat(api.post(HttpApi.PODS, "{{{").code()).isEqualTo(400);
    }
    assertThat(only("ResponseComplete").has("requestObject")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void managedFieldsAreLeftOutIfThePolicySaysSo(boolean omit) throws Exception {
    try (HttpApi api = api("- level: RequestResponse\n  omitManagedFields: " + omit)) {
      api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("c", "{'a': 'b'}"));
      api.get(HttpApi.CONFIG_MAPS);
    }
    for (String object : List.of("/responseObject", "/responseObject/items/0")) {
      assertThat(events().stream().anyMatch(e -> e.at(object + "/metadata").has("managedFields")))
          .isEqualTo(!omit);
    }
  }

  @Test
  void textsThatAClientChoosesAreCut() throws Exception {
    try (HttpApi api = api("- level: Metadata\n  omitStages: [RequestReceived]")) {
      String long1 = "x".repeat(60_000);
      Map<String, String> headers =
          Map.of("Authorization", "", "User-Agent", long1, "Audit-Id", long1);
      api.call("DELETE", HttpApi.PODS + "/" + long1 + "?a=" + long1, "", headers);
    }
    assertThat(out.size()).isLessThan(16 << 10);
    assertThat(only("ResponseComplete").at("/userAgent").stringValue())
        .isEqualTo("x".repeat(1024) + "...TRUNCATED");
  }

  @Test
  void refusalsOfUnknownUsersAreSampledAndCounted() throws Exception {
    Auditor trail = trail("- level: Metadata\n  omitStages: [RequestReceived]", "-");
    try (HttpApi api = new HttpApi(ApiServer.Options.defaults(), trail)) {
      for (int i = 0; i < 1000; i++) {
        api.call("DELETE", HttpApi.PODS + "/p", "", NOBODY);
        api.call("GET", "/version", "", Map.of("Authorization", "Bearer wrong"));
      }
      api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("c", "{}"));
    }
    trail.close();
    assertThat(texts("/verb")).filteredOn("create"::equals).hasSize(1);
    assertThat(events().size()).isLessThan(110);
    long leftOut =
        events().stream()
            .mapToLong(e ->
                Long.parseLong(
                    e.at("/annotations/audit.stint.dev~1requests-left-out").asString("0")))
            .sum();
    assertThat(leftOut).isEqualTo(2000 - 100);
  }

  @Test
  void aFloodOfUnknownUsersPushesNothingOut() throws Exception {
    Path file = directory.resolve("audit.log");
    Auditor trail = trail("- level: Metadata", file.toString());
    try (HttpApi api = new HttpApi(ApiServer.Options.defaults(), trail)) {
      api.post(HttpApi.CONFIG_MAPS, HttpApi.configMap("c", "{}"));
      String agent = "x".repeat(60_000);
      for (int i = 0; i < 3000; i++) {
        api.call(
            "DELETE", HttpApi.PODS + "/p", "", Map.of("Authorization", "", "User-Agent", agent));
      }
    }
    trail.close();
    assertThat(Files.size(file)).isLessThan(512 << 10);
    assertThat(Files.readString(file)).contains("\"name\":\"c\"");
  }

  @Test
  void annotationsOfAdmissionAreRecorded() throws Exception {
    Auditor trail = trail("- level: Metadata", "-");
    AuditRecord record =
        trail.begin(
            () -> new AuditRecord.Source("/x", "::1", "", "", () -> Map.of("b", "2", "a", "1")),
            RequestAttributes.ofPath(JANE, "get", "/x"));
    AuditedCalls.answer(record, route(), () -> ApiResponse.text(200, ""));
    assertThat(events().getLast().at("/annotations"))
        .isEqualTo(HttpApi.tree("{'a': '1', 'b': '2'}"));
  }

  @Test
  void aFaultOfTheServerIsAPanic() {
    AuditRecord record = record();
    assertThatThrownBy(() ->
            AuditedCalls.answer(
                record,
                route(),
                () -> {
                  throw new IllegalStateException("secret");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(stages()).containsExactly("RequestReceived", "Panic");
    assertThat(out.toString(UTF_8)).doesNotContain("secret");
    assertThat(events().getLast().at("/responseStatus/code").intValue()).isEqualTo(500);
  }

  @Test
  void aClientThatDisconnectsIsRecorded() {
    AuditRecord record = record();
    assertThatThrownBy(() ->
            AuditedCalls.answer(
                record,
                route(),
                () -> {
                  throw new IOException("gone");
                }))
        .isInstanceOf(IOException.class);
    assertThat(events().getLast().at("/responseStatus/message").stringValue())
        .isEqualTo("Connection closed early");
  }

  @Test
  void aSessionHasAnEventWhenItBeginsAndOneWhenItEnds() throws Exception {
    WebSocketSession session = (_, _) -> assertThat(stages()).endsWith("ResponseStarted");
    ApiResponse reply =
        AuditedCalls.answer(record(), route(), () -> new ApiResponse.Upgraded("v5", session));
    assertThat(stages()).containsExactly("RequestReceived");
    ((ApiResponse.Upgraded) reply).conversation().hold(NO_FRAMES, "v5");
    assertThat(stages()).containsExactly("RequestReceived", "ResponseStarted", "ResponseComplete");
    assertThat(events().getLast().at("/responseStatus/code").intValue()).isEqualTo(101);
  }

  @Test
  void anAnswerInPiecesThatFailsIsRecordedAsSuch() throws Exception {
    ApiResponse.Body broken =
        _ -> {
          throw new IOException("gone");
        };
    ApiResponse reply =
        AuditedCalls.answer(
            record(),
            route(),
            () -> new ApiResponse.Streamed(200, ApiResponse.JSON, broken, List.of()));
    assertThatThrownBy(() -> ((ApiResponse.Streamed) reply).body().writeTo(NO_SINK))
        .isInstanceOf(IOException.class);
    assertThat(stages()).containsExactly("RequestReceived", "ResponseComplete");
    assertThat(events().getLast().at("/responseStatus/message").stringValue())
        .isEqualTo("Connection closed early");
  }

  private AuditRecord record() {
    Auditor trail = trail("- level: Metadata", "-");
    return trail.begin(
        () -> new AuditRecord.Source("/x", "127.0.0.1", "", "", Map::of),
        RequestAttributes.ofPath(JANE, "get", "/x"));
  }

  private static Route route() {
    return Route.of(TestCatalogue.BUILT_IN, "GET", "/x", QueryParameters.of(null));
  }

  private HttpApi api(String rules) {
    return new HttpApi(ApiServer.Options.defaults(), trail(rules, "-"));
  }

  private Auditor trail(String rules, String path) {
    try {
      Path file = directory.resolve("policy.yaml");
      Files.writeString(file, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n" + rules + "\n");
      AuditPolicy policy = AuditPolicyFile.read(file);
      AuditSettings settings =
          new AuditSettings(path, path.equals("-") ? out : null, policy, AuditFormat.JSON, 1, 0, 0);
      Instant now = Instant.parse("2026-11-23T10:00:00Z");
      return Auditor.open(settings, () -> now, Runnable::run);
    } catch (IOException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private List<ObjectNode> events() {
    return out.toString(UTF_8).lines().map(Json::parse).toList();
  }

  private List<String> texts(String pointer) {
    return events().stream().map(event -> event.at(pointer).asString("")).toList();
  }

  private List<String> stages() {
    return texts("/stage");
  }

  private ObjectNode only(String stage) {
    List<ObjectNode> found =
        events().stream().filter(event -> event.path("stage").stringValue().equals(stage)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
