package dev.stint.testkit.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.function.Consumer;

/**
 * Creates fabric8's client. Only this class refers to its types, so that they are loaded only in
 * tests that ask for the client.
 */
public final class Fabric8Client {
  private Fabric8Client() {}

  /**
   * Returns a client.
   *
   * @param kubeconfig the text of a kubeconfig
   * @param opened receives what is to be closed after the test
   */
  public static Object create(String kubeconfig, Consumer<AutoCloseable> opened) {
    KubernetesClient client =
        new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig)).build();
    opened.accept(client);
    return client;
  }
}
