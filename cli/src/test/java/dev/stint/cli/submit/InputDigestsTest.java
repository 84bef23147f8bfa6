package dev.stint.cli.submit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class InputDigestsTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: x}
      spec:
        template:
          spec:
            restartPolicy: Never
            imagePullSecrets: [{name: pull}]
            containers:
            - name: main
              image: i
              envFrom: [{configMapRef: {name: params}}]
              env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: token, key: t}}}]
      """;

  /** Returns what the Job notes of inputs in its file. */
  private static @Nullable String digest(String... inputs) {
    List<Document> documents =
        Documents.read("x.yaml", (JOB + "---\n" + String.join("\n---\n", inputs)).getBytes(UTF_8));
    List<RequestedInput> read =
        documents.stream().flatMap(each -> RequestedInput.of(each).stream()).toList();
    return new InputDigests(read).noted(RequestedJob.of(documents.getFirst())).inputs();
  }

  private static String configMap(String name, String data) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {%s}}"
        .formatted(name, data);
  }

  private static String secret(String name, String content) {
    return "{apiVersion: v1, kind: Secret, metadata: {name: %s}, %s}".formatted(name, content);
  }

  @Test
  void onlyInputsThatPodsNameCount() {
    assertThat(digest(configMap("other", "lr: '1'"))).isNull();
    assertThat(digest(configMap("other", "lr: '1'"), configMap("params", "lr: '1'")))
        .isNotNull()
        .isEqualTo(digest(configMap("params", "lr: '1'"), configMap("other", "lr: '2'")));
    assertThat(digest(secret("pull", "stringData: {t: a}"))).as("it changes no result").isNull();
  }

  @Test
  void changedContentsAreOtherInputs() {
    assertThat(digest(configMap("params", "lr: '1'")))
        .isNotEqualTo(digest(configMap("params", "lr: '2'")))
        .isEqualTo(digest(configMap("params, labels: {a: b}", "lr: '1'")));
    assertThat(digest(secret("token", "stringData: {t: a}")))
        .isNotEqualTo(digest(secret("token", "stringData: {t: b}")))
        .isEqualTo(digest(secret("token", "data: {t: YQ==}")));
  }

  /** Whoever may read the Job, but not the secret, could test millions of guesses a second. */
  @Test
  void theDigestOfASecretTakesLong() {
    RequestedInput input =
        RequestedInput.of(
                Documents.read("x.yaml", secret("token", "data: {t: YQ==}").getBytes(UTF_8))
                    .getFirst())
            .orElseThrow();
    ObjectNode content = Json.object();
    content.set("data", input.tree().get("data"));
    String fast = DocumentDigest.of(content);
    assertThat(InputDigests.digest(input)).hasSameSizeAs(fast).isNotEqualTo(fast);
  }
}
