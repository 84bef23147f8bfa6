package dev.stint.runner.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.model.pod.TokenVolume;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class TokenRefusalsTest {
  private static KubeObject pod() {
    ObjectNode pod = Json.object();
    ObjectNode spec = pod.putObject("spec");
    spec.putArray("containers").addObject().put("name", "main");
    TokenVolume.add(spec);
    return KubeObject.of(pod);
  }

  private record At(String host, boolean isOnLoopback) implements PodApi {
    At(String host) {
      this(host, TokenRefusals.isLoopback(host));
    }

    @Override
    public CompletionStage<IssuedToken> issue(KubeObject pod, TokenSource token) {
      return new CompletableFuture<>();
    }

    @Override
    public String authority() {
      return "";
    }

    @Override
    public int port() {
      return 6443;
    }
  }

  @Test
  void aTokenIsRefusedWhereNothingIssuesIt() {
    assertThat(new TokenRefusals(null, _ -> true).of(pod()))
        .extracting(FieldError::path)
        .containsExactly("spec.volumes[0].projected.sources[0].serviceAccountToken");
    assertThat(TokenRefusals.withoutServer(pod(), "spec.template"))
        .extracting(FieldError::toString)
        .singleElement()
        .asString()
        .startsWith("spec.template.spec.volumes[0].projected.sources[0].serviceAccountToken: ")
        .endsWith("use stint up");
  }

  /** 30,000 tokens took 14 seconds in which no other pod started or ended. */
  @Test
  void aPodMayHaveFewTokens() {
    TokenRefusals refusals = new TokenRefusals(new At("10.0.0.5"), _ -> true);
    assertThat(refusals.of(podOfTokens(20))).isEmpty();
    assertThat(refusals.of(podOfTokens(21)))
        .extracting(FieldError::toString)
        .singleElement()
        .asString()
        .startsWith("spec.volumes: ")
        .endsWith("a pod may have 20 tokens, and this one has 21; remove some");
  }

  private static KubeObject podOfTokens(int count) {
    ObjectNode pod = Json.object();
    ArrayNode sources =
        pod.putObject("spec")
            .putArray("volumes")
            .addObject()
            .put("name", "tokens")
            .putObject("projected")
            .putArray("sources");
    for (int i = 0; i < count; i++) {
      sources.addObject().putObject("serviceAccountToken").put("path", "t" + i);
    }
    return KubeObject.of(pod);
  }

  @Test
  void aTokenIsRefusedInContainersThatDoNotReachTheServer() {
    assertThat(new TokenRefusals(new At("127.0.0.1"), _ -> false).of(pod()))
        .extracting(FieldError::toString)
        .singleElement()
        .asString()
        .startsWith("spec.containers[0].volumeMounts[0]: ")
        .contains("don't reach the API at 127.0.0.1", "--listen");
    assertThat(new TokenRefusals(new At("laptop", true), _ -> false).of(pod())).hasSize(1);
    assertThat(new TokenRefusals(new At("127.0.0.1"), _ -> true).of(pod())).isEmpty();
    assertThat(new TokenRefusals(new At("10.0.0.5"), _ -> false).of(pod())).isEmpty();
  }
}
