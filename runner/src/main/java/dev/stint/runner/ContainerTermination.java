package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.runner.runtime.Attempt;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.spec.Handler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ends one run of a container: preStop hook, SIGTERM, and SIGKILL when the grace period is over. On
 * the loop only.
 */
final class ContainerTermination {
  /**
   * The time that a container gets after a preStop hook that used up all its time ("Container
   * hooks").
   */
  private static final Duration AFTER_HOOK = Duration.ofSeconds(2);

  private final NodePorts node;
  private final ContainerRun run;
  private final Attempt attempt;
  private @Nullable Instant killAt;
  private boolean killed;
  private @Nullable Runnable cancelHook;
  private Runnable cancelKill = () -> {};

  ContainerTermination(NodePorts node, ContainerRun run, Attempt attempt) {
    this.node = node;
    this.run = run;
    this.attempt = attempt;
  }

  /**
   * Ends the container at this time at the latest. A further call only takes effect if its time is
   * earlier.
   *
   * @param withHook true if the container ran, so that its preStop hook is called
   */
  void endBy(Instant time, boolean withHook) {
    boolean first = killAt == null;
    if (killed || (killAt != null && !time.isBefore(killAt))) {
      return;
    }
    killAt = time;
    cancelKill.run();
    Duration grace = Duration.between(node.now(), time);
    if (!grace.isPositive()) {
      kill();
    } else {
      cancelKill = node.after(grace, this::onTimeout);
      if (first) {
        begin(withHook, grace);
      }
    }
  }

  /** Called when the run has ended. */
  void cancel() {
    killed = true;
    cancelKill.run();
    endHook();
  }

  private void begin(boolean withHook, Duration grace) {
    ObjectNode lifecycle = Json.objectAt(run.container(), "lifecycle");
    Handler hook = Handler.of(Json.objectAt(lifecycle, "preStop"), run.container());
    if (hook == null || !withHook) {
      attempt.signal(Attempt.Signal.TERM);
      return;
    }
    cancelHook =
        HandlerCall.start(
            node,
            run,
            hook,
            grace.plus(AFTER_HOOK),
            result -> {
              cancelHook = null;
              if (!result.good()) {
                String why = "PreStopHook failed: " + result.message();
                node.events().hookFailed(run.pod(), "FailedPreStopHook", why);
              }
              attempt.signal(Attempt.Signal.TERM);
              extendAfterHook();
            });
  }

  /**
   * Extends the grace period to a minimum after the hook, even if the hook used nearly all of it.
   */
  private void extendAfterHook() {
    if (!killed
        && killAt != null
        && Duration.between(node.now(), killAt).compareTo(AFTER_HOOK) < 0) {
      cancelKill.run();
      cancelKill = node.after(AFTER_HOOK, this::kill);
    }
  }

  private void onTimeout() {
    if (cancelHook == null || killed) {
      kill();
    } else {
      endHook();
      attempt.signal(Attempt.Signal.TERM);
      cancelKill = node.after(AFTER_HOOK, this::kill);
    }
  }

  private void kill() {
    if (!killed) {
      killed = true;
      endHook();
      attempt.signal(Attempt.Signal.KILL);
    }
  }

  private void endHook() {
    if (cancelHook != null) {
      cancelHook.run();
      cancelHook = null;
    }
  }
}
