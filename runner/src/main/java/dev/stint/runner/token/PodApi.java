package dev.stint.runner.token;

import dev.stint.model.KubeObject;
import java.util.concurrent.CompletionStage;

/** The API server as the pods of a node see it. Safe for any thread; no method waits. */
public interface PodApi {
  /**
   * Issues a token of the pod's service account, which is valid as long as the pod is.
   *
   * @return fails with a {@code ClusterException} if the account or the pod does not exist
   */
  CompletionStage<IssuedToken> issue(KubeObject pod, TokenSource token);

  /** Returns the certificate of the authority that signs the server's certificate, as PEM. */
  String authority();

  /** Returns the host by which pods reach the server. */
  String host();

  /** True if the server listens on the loopback addresses of this machine only. */
  default boolean isOnLoopback() {
    return TokenRefusals.isLoopback(host());
  }

  /** Returns the port of the server. */
  int port();
}
