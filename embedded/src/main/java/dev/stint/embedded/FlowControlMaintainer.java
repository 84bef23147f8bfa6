package dev.stint.embedded;

import dev.stint.apiserver.flowcontrol.FlowControlObjects;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.model.KubeObject;
import dev.stint.model.flowcontrol.BuiltInFlowControl;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the built-in priority levels and flow schemas, see {@link FlowControlObjects}: when one of
 * either kind changes, and once a minute.
 */
final class FlowControlMaintainer implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(FlowControlMaintainer.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final Cluster cluster;
  private final EventLoop loop;
  private final List<Informer> informers;
  private boolean scheduled;
  private boolean running;
  private boolean closed;

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   */
  FlowControlMaintainer(Cluster cluster, EventLoop loop) {
    this.cluster = cluster;
    this.loop = loop;
    this.informers =
        BuiltInFlowControl.kinds().stream()
            .map(kind -> new Informer(cluster, kind, loop, new Changes()))
            .toList();
  }

  @Override
  public void start() {
    loop.execute(() -> informers.forEach(Informer::start));
    startRoundAfter(PERIOD);
  }

  @Override
  public void close() {
    loop.execute(() -> {
      closed = true;
      informers.forEach(Informer::close);
    });
  }

  private void startRoundAfter(Duration delay) {
    loop.after(
        delay,
        () -> {
          if (!closed) {
            schedule();
            startRoundAfter(PERIOD);
          }
        });
  }

  private void schedule() {
    scheduled = true;
    loop.execute(this::startRound);
  }

  /** Starts one round, unless one is running: then another follows it. */
  private void startRound() {
    if (closed || running || !scheduled) {
      return;
    }
    scheduled = false;
    running = true;
    var _ =
        FlowControlObjects.maintain(cluster, loop.now())
            .whenComplete((_, failure) -> loop.execute(() -> onRoundEnd(failure)));
  }

  private void onRoundEnd(@Nullable Throwable failure) {
    running = false;
    if (failure != null) {
      LOG.warn(
          "Cannot maintain the flow schemas and priority levels; retrying within a minute: {}",
          ClusterException.causeOf(failure).getMessage());
    }
    startRound();
  }

  private final class Changes implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject object) {
      schedule();
    }

    @Override
    public void onDelete(String uid, String controller) {
      schedule();
    }

    @Override
    public void onSynced() {
      schedule();
    }
  }
}
