package dev.stint.testkit.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.util.function.Consumer;

/**
 * Creates the Kubernetes project's client. Only this class refers to its types, so that they are
 * loaded only in tests that ask for the client.
 */
public final class OfficialJavaClient {
  private OfficialJavaClient() {}

  /**
   * Returns a client without a read timeout, as watches need it.
   *
   * @param kubeconfig the text of a kubeconfig
   * @param opened receives what is to be closed after the test
   */
  public static Object create(String kubeconfig, Consumer<AutoCloseable> opened)
      throws IOException {
    KubeConfig config = KubeConfig.loadKubeConfig(new StringReader(kubeconfig));
    ApiClient client = ClientBuilder.kubeconfig(config).build();
    client.setReadTimeout(0);
    AutoCloseable end =
        () -> {
          client.getHttpClient().dispatcher().cancelAll();
          client.getHttpClient().dispatcher().executorService().shutdown();
          client.getHttpClient().connectionPool().evictAll();
        };
    opened.accept(end);
    return client;
  }
}
