package dev.stint.runner;

import dev.stint.model.KubeObject;
import dev.stint.runner.token.IssuedToken;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.PodTokens;
import dev.stint.runner.token.TokenSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Fetches the tokens of a pod, all at once. On the loop only. */
final class TokenFetch {
  /** Answers may come on any thread. */
  private final Map<TokenSource, IssuedToken> issued = new ConcurrentHashMap<>();

  private final Map<TokenSource, String> missing = new HashMap<>();
  private final PodApi api;
  private final Consumer<PodTokens> done;
  private int awaited;

  private TokenFetch(PodApi api, int awaited, Consumer<PodTokens> done) {
    this.api = api;
    this.awaited = awaited;
    this.done = done;
  }

  /** True if a pod has no tokens, or nothing here issues any. */
  static boolean isNeedless(NodePorts node, KubeObject pod) {
    return node.options().api() == null || TokenSource.of(pod.spec()).isEmpty();
  }

  /**
   * Fetches all tokens of a pod that has some.
   *
   * @param done receives them, on the loop; with reasons for those that are not issued
   */
  static void start(NodePorts node, PodApi api, KubeObject pod, Consumer<PodTokens> done) {
    Set<TokenSource> tokens = new LinkedHashSet<>(TokenSource.of(pod.spec()));
    TokenFetch fetch = new TokenFetch(api, tokens.size(), done);
    tokens.forEach(token ->
        RetriedRequest.send(
            node,
            () -> api.issue(pod, token).thenAccept(found -> fetch.issued.put(token, found)),
            failure -> fetch.onAnswer(token, failure)));
  }

  private void onAnswer(TokenSource token, @Nullable Throwable failure) {
    if (failure != null) {
      missing.put(token, String.valueOf(failure.getMessage()));
    }
    awaited--;
    if (awaited == 0) {
      done.accept(new PodTokens(issued, missing, variables()));
    }
  }

  /** Returns the variables by which clients in pods find the API server. */
  private Map<String, String> variables() {
    String port = Integer.toString(api.port());
    return Map.of(
        "KUBERNETES_SERVICE_HOST", api.host(),
        "KUBERNETES_SERVICE_PORT", port,
        "KUBERNETES_SERVICE_PORT_HTTPS", port);
  }
}
