package dev.stint.embedded.token;

import dev.stint.apiserver.access.TokenRequests;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.pod.TokenVolume;
import dev.stint.runner.token.IssuedToken;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.TokenRefusals;
import dev.stint.runner.token.TokenSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.node.ObjectNode;

/**
 * Issues tokens to the pods of this machine, as a kubelet requests them: bound to the pod, so that
 * they end with it.
 *
 * @param authority the certificate of the API server's authority, as PEM
 * @param host the host by which pods reach the API server
 * @param isOnLoopback true if only pods on the network of this machine do
 */
public record PodTokenIssuer(
    TokenRequests tokens, String authority, String host, int port, boolean isOnLoopback)
    implements PodApi {
  private static final Set<String> ALL_ADDRESSES =
      Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0", "[::]");
  private static final String LOOPBACK = "127.0.0.1";

  /** Returns the host by which this machine reaches a server that listens on another one. */
  public static String reachable(String listening) {
    return ALL_ADDRESSES.contains(listening) || listening.equals("localhost")
        ? LOOPBACK
        : listening;
  }

  /**
   * True if containers with a network of their own reach a server that listens there. Its
   * certificate has to name the address, so one for all addresses does not count. A name counts as
   * what it stands for here, such as 127.0.1.1 for the name of a Debian machine.
   */
  public static boolean isReachableForContainers(InetSocketAddress listening) {
    InetAddress address = listening.getAddress();
    return address == null
        ? !TokenRefusals.isLoopback(reachable(listening.getHostString()))
        : !address.isLoopbackAddress() && !address.isAnyLocalAddress();
  }

  @Override
  public CompletionStage<IssuedToken> issue(KubeObject pod, TokenSource token) {
    ObjectRef account =
        new ObjectRef(Kind.SERVICE_ACCOUNT, pod.namespace(), TokenVolume.account(pod.spec()));
    CompletableFuture<IssuedToken> answer = new CompletableFuture<>();
    Thread.startVirtualThread(() -> sign(account, request(pod, token), answer));
    return answer;
  }

  /** Signs a token, which takes too long for the loop that all pods share. */
  private void sign(ObjectRef account, ObjectNode request, CompletableFuture<IssuedToken> answer) {
    try {
      answer.complete(issued(tokens.answer(account, request)));
    } catch (RuntimeException failed) {
      answer.completeExceptionally(failed);
    }
  }

  private static ObjectNode request(KubeObject pod, TokenSource token) {
    ObjectNode request = Json.object();
    ObjectNode spec = request.putObject("spec").put("expirationSeconds", token.expirationSeconds());
    if (!token.audience().isEmpty()) {
      spec.putArray("audiences").add(token.audience());
    }
    spec.putObject("boundObjectRef")
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put("name", pod.name())
        .put("uid", pod.uid());
    return request;
  }

  private static IssuedToken issued(ObjectNode answer) {
    ObjectNode status = answer.withObjectProperty("status");
    return new IssuedToken(
        String.valueOf(Json.text(status, "token")),
        Objects.requireNonNull(Timestamps.parse(status.path("expirationTimestamp").asString())));
  }
}
