package dev.stint.runner.container;

import dev.stint.model.KubeObject;
import dev.stint.runner.network.PodNames;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The pods with a network of their own that find each other by their names. On any thread. */
final class NamedPods {
  private final PodNames names = new PodNames();
  private final Map<String, PodSandbox> sandboxes = new ConcurrentHashMap<>();

  /** Returns the names, for hosts files. */
  PodNames names() {
    return names;
  }

  /**
   * Adds a pod once its network exists, and updates the hosts files of those that find it.
   *
   * @param address null for a pod without an address of its own
   */
  void join(KubeObject pod, @Nullable String address, PodSandbox sandbox) {
    names.join(pod, address);
    sandboxes.put(pod.uid(), sandbox);
    for (String uid : names.peers(pod.uid())) {
      PodSandbox peer = sandboxes.get(uid);
      if (peer != null) {
        peer.serial().execute(peer::updateHosts);
      }
    }
  }

  /** Forgets a pod that has ended. */
  void leave(String uid) {
    names.leave(uid);
    sandboxes.remove(uid);
  }
}
