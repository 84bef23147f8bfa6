package dev.stint.runner.container.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodInputs;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PullSecretsTest {
  @Test
  void theAuthOfTheImagesRegistryIsFoundTheClosestFirst() {
    assertThat(
            users(
                "r.example/team/tool:1",
                """
                {"auths": {"r.example": {"auth": "%s"}, "other.example": {"auth": "%s"},
                  "https://r.example/v1/": {"username": "v1", "password": "p"},
                  "r.example/team": {"username": "close", "password": "p"},
                  "r.example/tea": {"username": "no", "password": "p"}}}\
                """
                    .formatted(base64("host:a:b"), base64("x:y"))))
        .startsWith("close")
        .containsExactlyInAnyOrder("close", "host", "v1");
  }

  @Test
  void aPasswordMayHaveAColon() {
    String config = "{\"auths\": {\"r.example\": {\"auth\": \"%s\"}}}".formatted(base64("u:a:b"));
    assertThat(found("r.example/x:1", config))
        .containsExactly(new PullSecrets.Credentials("u", "a:b", "r.example", "default/s/uid-s"));
  }

  @Test
  void imagesWithoutARegistryAreOfDockerHub() {
    String config =
        "{\"auths\": {\"https://index.docker.io/v1/\": {\"username\": \"hub\", \"password\": \"p\"}}}";
    assertThat(users("busybox", config)).containsExactly("hub");
    assertThat(users("quay.io/busybox", config)).isEmpty();
  }

  /** "Interpretation of config.json" of the Kubernetes documentation. */
  @Test
  void partsOfAHostMayBeGlobs() {
    String config = "{\"auths\": {\"%s\": {\"username\": \"u\", \"password\": \"p\"}}}";
    for (String key :
        List.of(
            "*.r.example:5000", "*.*.*:5000", "https://a?.[q-s].ex*:5000/team", "a1.[^a].*:5000")) {
      assertThat(users("a1.r.example:5000/team/tool", config.formatted(key))).as(key).hasSize(1);
    }
    for (String key :
        List.of(
            "*:5000", "*.example:5000", "*.r.example", "*.r.example:5001", "a1.[.example:5000")) {
      assertThat(users("a1.r.example:5000/team/tool", config.formatted(key))).as(key).isEmpty();
    }
    assertThat(users("busybox", config.formatted("*.docker.io"))).hasSize(1);
  }

  @Test
  void aSecretThatMakesNoSenseIsPassedOver() {
    assertThat(users("busybox", "no JSON")).isEmpty();
    assertThat(PullSecrets.of(pod(), PodInputs.NONE, ImageRef.parse("busybox").orElseThrow()))
        .isEmpty();
  }

  @Test
  void apasswordIsNotPrintedByAccident() {
    assertThat(new PullSecrets.Credentials("user", "secret", "r", "").toString())
        .doesNotContain("secret");
  }

  private static List<String> users(String image, String config) {
    return found(image, config).stream().map(PullSecrets.Credentials::username).toList();
  }

  private static List<PullSecrets.Credentials> found(String image, String config) {
    ObjectNode secret = Json.object().put("apiVersion", "v1").put("kind", "Secret");
    secret.putObject("metadata").put("name", "s").put("namespace", "default").put("uid", "uid-s");
    secret.putObject("data").put(".dockerconfigjson", base64(config));
    PodInputs inputs = new PodInputs(Map.of(), Map.of("s", KubeObject.of(secret)));
    return PullSecrets.of(pod(), inputs, ImageRef.parse(image).orElseThrow());
  }

  private static KubeObject pod() {
    return PodBuilder.named("a").spec("'imagePullSecrets':[{'name':'s'}]").build();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
