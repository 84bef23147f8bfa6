package dev.stint.testkit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/**
 * Creates fabric8's client. Only this class refers to its types, so that they are loaded only in
 * tests that ask for the client.
 */
final class Fabric8 {
  private Fabric8() {}

  static Object client(TestSession session) {
    return session.closing(
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(session.kubeconfig()))
            .build());
  }
}
