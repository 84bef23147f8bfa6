package dev.stint.testkit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;

/**
 * Creates the Kubernetes project's client. Only this class refers to its types, so that they are
 * loaded only in tests that ask for the client.
 */
final class JavaClient {
  private JavaClient() {}

  /** Returns a client without a read timeout, as watches need it. */
  static Object client(TestSession session) throws IOException {
    KubeConfig config = KubeConfig.loadKubeConfig(new StringReader(session.kubeconfig()));
    ApiClient client = ClientBuilder.kubeconfig(config).build();
    client.setReadTimeout(0);
    AutoCloseable end =
        () -> {
          client.getHttpClient().dispatcher().cancelAll();
          client.getHttpClient().dispatcher().executorService().shutdown();
          client.getHttpClient().connectionPool().evictAll();
        };
    session.closing(end);
    return client;
  }
}
