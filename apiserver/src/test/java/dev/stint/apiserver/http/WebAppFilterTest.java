package dev.stint.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.apiserver.audit.Auditor;
import dev.stint.apiserver.catalogue.TestCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebAppFilterTest {
  private static final WebApp SITE =
      new WebApp() {
        @Override
        public String root() {
          return "/console";
        }

        @Override
        public ApiResponse answer(Call call) {
          return ApiResponse.text(call.path().endsWith("session") ? 401 : 200, "the site");
        }
      };

  @TempDir private Path directory = Path.of("");

  private static String ask(RequestFilter gate, String method, String path) throws IOException {
    Call call =
        Call.anonymous(TestCatalogue.BUILT_IN, method, path, null, _ -> null, () -> new byte[0]);
    return new String(
        ((ApiResponse.Whole) gate.answer(call, new ClientIdentity("there", null, null))).body(),
        UTF_8);
  }

  @Test
  void aSiteIsAskedForItsPathsAndTheApiForAllOthers() throws IOException {
    RequestFilter gate =
        new WebAppFilter(SITE, (_, _) -> ApiResponse.text(200, "the API"), Auditor.NONE);
    assertThat(ask(gate, "GET", "/console")).isEqualTo("the site");
    assertThat(ask(gate, "GET", "/console/jobs/a/b")).isEqualTo("the site");
    assertThat(ask(gate, "GET", "/consoles")).isEqualTo("the API");
    assertThat(ask(gate, "GET", "/api/console")).isEqualTo("the API");
  }

  @Test
  void changesThroughASiteAreAudited() throws IOException {
    assertThat(audited("GET", "/console/api/live/jobs")).isEmpty();
    assertThat(audited("POST", "/console/api/jobs/default/hello/suspend"))
        .contains(
            "\"username\":\"stint:console\"",
            "\"requestURI\":\"/console/api/jobs/default/hello/suspend\"",
            "\"code\":200",
            "\"sourceIPs\":[\"there\"]");
  }

  @Test
  void whoIsRefusedByASiteIsUnknown() throws IOException {
    assertThat(audited("POST", "/console/api/session"))
        .contains("\"username\":\"system:anonymous\"", "\"code\":401");
  }

  private String audited(String method, String path) throws IOException {
    Path file = directory.resolve("audit" + path.hashCode());
    try (Auditor audit =
        Auditor.open(AuditSettings.of(file.toString()), () -> Instant.EPOCH, Runnable::run)) {
      ask(new WebAppFilter(SITE, (_, _) -> ApiResponse.text(200, ""), audit), method, path);
    }
    return Files.readString(file);
  }
}
