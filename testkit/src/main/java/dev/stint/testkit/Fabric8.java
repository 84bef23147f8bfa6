package dev.stint.testkit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** The only class that knows fabric8's client: loaded where a test has it and asks for it. */
final class Fabric8 {
  private Fabric8() {}

  static Object client(TestSession session) {
    return session.closing(
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(session.kubeconfig()))
            .build());
  }
}
