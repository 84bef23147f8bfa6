package dev.stint.testkit.host;

import dev.stint.embedded.ApiEndpoint;
import dev.stint.model.KubeObject;
import dev.stint.runner.token.IssuedToken;
import dev.stint.runner.token.PodApi;
import dev.stint.runner.token.TokenSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The API as pods of a test see it. It listens only once a pod asks for a token.
 *
 * @param endpoint starts to listen on first use
 */
public record EndpointForPods(Supplier<ApiEndpoint> endpoint) implements PodApi {
  @Override
  public CompletionStage<IssuedToken> issue(KubeObject pod, TokenSource token) {
    return endpoint.get().forPods().issue(pod, token);
  }

  @Override
  public String authority() {
    return endpoint.get().authority();
  }

  @Override
  public String host() {
    return endpoint.get().forPods().host();
  }

  @Override
  public boolean isOnLoopback() {
    return endpoint.get().forPods().isOnLoopback();
  }

  @Override
  public int port() {
    return endpoint.get().forPods().port();
  }
}
