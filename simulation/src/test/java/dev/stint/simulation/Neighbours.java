package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.gc.ServedKinds;
import dev.stint.model.KubeObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The rest of a world beside its Jobs: other objects, their users, controllers and laws. */
interface Neighbours {
  /** An empty neighbourhood. */
  Neighbours NONE = new Neighbours() {};

  /** Receives the history of the world, before it begins. */
  default void know(History history) {}

  /** Changes a Job before it is created. */
  default void adapt(ObjectNode job) {}

  /** Starts the controllers of a process. */
  default void start(Cluster cluster, ServedKinds kinds, EventLoop loop) {}

  /** Begins a world, before its Jobs are created. */
  default void begin(Cluster cluster) {}

  /** Performs an action of a user, or none. */
  default void act(Cluster cluster) {}

  /**
   * Called while nothing happens but that time passes, long after the last fault: all components
   * know everything.
   */
  default void onIdle(Cluster cluster) {}

  /** Checks a durable change; {@link #hold} throws the violation. */
  default void changed(@Nullable KubeObject before, @Nullable KubeObject after) {}

  /** Records a durable change for the law of watches. */
  default void stored(KubeObject object, long revision, boolean gone) {}

  /** Throws a violation of a law, between two steps. */
  default void hold() {}

  /** Removes what keeps Jobs from ending, once there are no more faults. Called repeatedly. */
  default void calm(Cluster cluster) {}

  /**
   * Returns the time without changes after which the world rests; null if that is when no timers
   * are left.
   */
  default @Nullable Duration quiet() {
    return null;
  }

  /** Checks what must hold once nothing changes any more. */
  default void checkEnd() {}
}
