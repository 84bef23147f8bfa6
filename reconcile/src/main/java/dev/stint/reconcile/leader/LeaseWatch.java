package dev.stint.reconcile.leader;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.Reflector;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows each Lease by a watch of its own. */
record LeaseWatch(Cluster cluster, EventLoop loop) implements LeaseSource {
  @Override
  public Runnable follow(ObjectRef lease, Consumer<@Nullable KubeObject> onReport) {
    Reflector reflector = Reflector.ofObject(cluster, lease, loop, new Listener(onReport));
    reflector.start();
    return reflector::close;
  }

  /** Takes the reports of one object; a reflector that is closed makes none. */
  private static final class Listener implements Reflector.Listener {
    private final Consumer<@Nullable KubeObject> onReport;
    private @Nullable KubeObject listed;

    Listener(Consumer<@Nullable KubeObject> onReport) {
      this.onReport = onReport;
    }

    @Override
    public void onListStart(String revision) {
      listed = null;
    }

    @Override
    public void onListed(KubeObject found) {
      listed = found;
    }

    @Override
    public void onListEnd() {
      onReport.accept(listed);
    }

    @Override
    public void onEvent(WatchEvent event) {
      onReport.accept(event.type() == WatchEvent.Type.DELETED ? null : event.object());
    }
  }
}
