package dev.stint.testkit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;

/** The only class that knows the Kubernetes project's client: loaded where a test asks for it. */
final class JavaClient {
  private JavaClient() {}

  /** Without a limit to how long an answer may take, as watches need it. */
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
