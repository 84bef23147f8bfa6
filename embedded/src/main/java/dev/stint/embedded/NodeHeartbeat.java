package dev.stint.embedded;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says again and again that a node is ready: a cluster takes one that is silent for dead. */
final class NodeHeartbeat implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeHeartbeat.class);

  /** As often as a kubelet does; clusters wait for 40 s or longer. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private final LocalNode node;
  private final Timers timers;
  private Runnable cancel = () -> {};
  private boolean closed;

  NodeHeartbeat(LocalNode node, Timers timers) {
    this.node = node;
    this.timers = timers;
  }

  /** Begins with the first beat after one period. */
  synchronized void start() {
    if (!closed) {
      cancel = timers.after(PERIOD, this::beat);
    }
  }

  /** Waits for no answer, so that a slow one delays no other beat. */
  private void beat() {
    start();
    node.renew()
        .exceptionally(failure -> {
          LOG.debug("No heartbeat of the node: {}", ClusterException.causeOf(failure).getMessage());
          return null;
        });
  }

  @Override
  public synchronized void close() {
    closed = true;
    cancel.run();
  }
}
