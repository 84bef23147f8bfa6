package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Runtime;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.PodInputs;
import dev.stint.runner.token.IssuedToken;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.TokenSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tokens of pods, in simulated time. */
class TokensTest {
  private static final String WITH_TOKEN =
      """
      {'serviceAccountName': 'robot', 'volumes': [{'name': 'v', 'projected': {'sources': [
         {'serviceAccountToken': {'path': 'token', 'expirationSeconds': 1000}},
         {'configMap': {'name': 'kube-root-ca.crt'}}]}}],
       'containers': [{'name': 'main'}]}
      """;

  private final SimulatedNode node = new SimulatedNode();
  private final Api api = new Api();
  private final Volumes volumes = new Volumes();

  /** The time that passed while timers stood still. */
  private Duration slept = Duration.ZERO;

  private Instant now() {
    return node.time.instant().plus(slept);
  }

  /** Issues numbered tokens. */
  private final class Api implements PodApi {
    private @Nullable ClusterException refusal;
    private int issued;

    @Override
    public CompletionStage<IssuedToken> issue(KubeObject pod, TokenSource token) {
      if (refusal != null) {
        return CompletableFuture.failedFuture(refusal);
      }
      issued++;
      return CompletableFuture.completedFuture(
          new IssuedToken("token-" + issued, now().plusSeconds(token.expirationSeconds())));
    }

    @Override
    public String authority() {
      return "PEM";
    }

    @Override
    public String host() {
      return "127.0.0.1";
    }

    @Override
    public int port() {
      return 6443;
    }
  }

  /** Records what containers start with, and what is written to their volumes later. */
  private final class Volumes implements Runtime {
    private final List<String> started = new ArrayList<>();
    private final List<String> renewed = new ArrayList<>();
    private final List<String> certificates = new ArrayList<>();
    private int failures;

    @Override
    public CompletableFuture<Set<String>> leftovers() {
      return node.runtime.leftovers();
    }

    @Override
    public Attempt start(ContainerRun run, AttemptListener listener) {
      started.add(token(run.pod(), run.inputs()));
      assertThat(run.inputs().tokens().variables())
          .containsEntry("KUBERNETES_SERVICE_HOST", "127.0.0.1")
          .containsEntry("KUBERNETES_SERVICE_PORT", "6443");
      return node.runtime.start(run, listener);
    }

    @Override
    public CompletableFuture<Handler.Result> handle(ContainerRun run, Handler handler) {
      return node.runtime.handle(run, handler);
    }

    @Override
    public CompletableFuture<@Nullable Void> renewTokens(KubeObject pod, PodInputs inputs) {
      if (failures > 0) {
        failures--;
        return CompletableFuture.failedFuture(new java.io.IOException("disk full"));
      }
      renewed.add(token(pod, inputs));
      KubeObject map = Objects.requireNonNull(inputs.find(Kind.CONFIG_MAP, "kube-root-ca.crt"));
      certificates.add(map.tree().at("/data/ca.crt").asString());
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<@Nullable Void> forget(String podUid) {
      return node.runtime.forget(podUid);
    }

    private String token(KubeObject pod, PodInputs inputs) {
      TokenSource source = TokenSource.of(pod.spec()).getFirst();
      IssuedToken token = inputs.tokens().find(source);
      return token == null ? "none" : token.text();
    }
  }

  private Runner live() {
    EventLoop loop = node.loop.eventLoop();
    Runner runner =
        new Runner(
            node.cluster,
            volumes,
            new EventLoop(loop.executor(), this::now, loop.timers(), loop.random()),
            new RunnerOptions("here", 9, _ -> true).withApi(api));
    runner.start();
    node.run();
    return runner;
  }

  @Test
  void aTokenIsRenewedAfterMostOfItsLifeUntilThePodEnds() {
    live();
    node.tell("main", FOR_EVER);
    node.add("a", WITH_TOKEN);
    assertThat(volumes.started).containsExactly("token-1");
    node.pass(Duration.ofSeconds(798));
    assertThat(volumes.renewed).isEmpty();
    node.pass(Duration.ofSeconds(4));
    assertThat(volumes.renewed).containsExactly("token-2");
    node.pass(Duration.ofSeconds(801));
    assertThat(volumes.renewed).containsExactly("token-2", "token-3");
    node.cluster.remove("a");
    node.pass(Duration.ofSeconds(2000));
    assertThat(volumes.renewed).hasSize(2);
  }

  @Test
  void aTokenIsRenewedSoonAfterTheMachineSlept() {
    live();
    node.tell("main", FOR_EVER);
    node.add("a", WITH_TOKEN);
    node.pass(Duration.ofSeconds(70));
    slept = Duration.ofHours(8);
    node.pass(Duration.ofSeconds(60));
    assertThat(volumes.renewed).containsExactly("token-2");
  }

  @Test
  void aPodThatIsTakenOverGetsTheCertificateThatTheServerHasNow() {
    Runner first = live();
    node.tell("main", FOR_EVER);
    node.add("a", WITH_TOKEN);
    first.close();
    node.cluster.addInput(Kind.CONFIG_MAP, "kube-root-ca.crt", "ca.crt", "of an earlier authority");
    live().close();
    assertThat(volumes.certificates).containsExactly("PEM");
    node.cluster.addInput(Kind.CONFIG_MAP, "kube-root-ca.crt", "ca.crt", "another, PEM");
    live();
    assertThat(volumes.certificates).containsExactly("PEM", "another, PEM");
  }

  @Test
  void aPodThatIsTakenOverGetsANewTokenAtOnce() {
    Runner first = live();
    node.tell("main", FOR_EVER);
    node.add("a", WITH_TOKEN);
    first.close();
    node.pass(Duration.ofSeconds(5000));
    live();
    node.pass(Duration.ofSeconds(1));
    assertThat(volumes.renewed).containsExactly("token-2");
    node.pass(Duration.ofSeconds(801));
    assertThat(volumes.renewed).containsExactly("token-2", "token-3");
  }

  @Test
  void aPodWaitsForItsAccount() {
    live();
    node.tell("main", FOR_EVER);
    api.refusal =
        new ClusterException(
            ClusterException.Reason.NOT_FOUND, "serviceaccounts \"robot\" not found");
    node.add("a", WITH_TOKEN);
    node.advance(5);
    assertThat(node.waitingReason("a", "main")).isEqualTo("ContainerCreating");
    assertThat(node.cluster.events())
        .anyMatch(
            event -> event.contains("failed to fetch token: serviceaccounts \"robot\" not found"));
    api.refusal = null;
    node.advance(12);
    assertThat(volumes.started).containsExactly("token-1");
  }

  @Test
  void aRenewalThatFailsIsTriedAgainBeforeTheTokenExpires() {
    live();
    node.tell("main", FOR_EVER);
    node.add("a", WITH_TOKEN);
    node.pass(Duration.ofSeconds(790));
    api.refusal = new ClusterException(ClusterException.Reason.FORBIDDEN, "no");
    volumes.failures = 1;
    node.pass(Duration.ofSeconds(15));
    assertThat(volumes.renewed).isEmpty();
    api.refusal = null;
    node.pass(Duration.ofSeconds(60));
    assertThat(volumes.renewed).isNotEmpty();
  }
}
