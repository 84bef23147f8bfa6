package dev.stint.testkit.process;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** Creates fabric8's client. Only this class refers to it, so that it is loaded only on request. */
final class RemoteFabric8Client {
  private RemoteFabric8Client() {}

  static AutoCloseable create(String kubeconfig) {
    return new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig)).build();
  }
}
