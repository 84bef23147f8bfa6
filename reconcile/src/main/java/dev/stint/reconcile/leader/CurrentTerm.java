package dev.stint.reconcile.leader;

import dev.stint.cluster.EventLoop;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The term of one candidate, if it leads. It begins and goes on when the Lease is written or
 * renewed, and ends once that was too long ago. Used on the event loop.
 */
final class CurrentTerm {
  private final EventLoop loop;
  private final InstantSource wall;
  private final Duration deadline;
  private final Runnable onDeadline;
  private @Nullable Term term;
  private Runnable cancelDeadline = () -> {};

  /**
   * @param wall a second clock, which runs while the machine sleeps
   * @param deadline for how long a term lasts without a renewal
   * @param onDeadline called when a term must end since it was not renewed
   */
  CurrentTerm(EventLoop loop, InstantSource wall, Duration deadline, Runnable onDeadline) {
    this.loop = loop;
    this.wall = wall;
    this.deadline = deadline;
    this.onDeadline = onDeadline;
  }

  Term.Moment moment() {
    return new Term.Moment(loop.now(), wall.instant());
  }

  /** True while this process leads. */
  boolean exists() {
    return term != null;
  }

  /**
   * Begins or continues a term.
   *
   * @param sent a time before the Lease was written
   * @return null if that is too long ago
   */
  @Nullable Term hold(Term.Moment sent) {
    Duration left = deadline.minus(Duration.between(sent.steady(), loop.now()));
    if (!left.isPositive()) {
      return null;
    }
    cancelDeadline.run();
    cancelDeadline = loop.after(left, onDeadline);
    Term held = term;
    if (held == null) {
      held = Term.of(loop.clock(), wall, sent, deadline);
      term = held;
    } else {
      held.renew(sent, deadline);
    }
    return held;
  }

  /** Ends the term; false if there is none. */
  boolean end() {
    cancelDeadline.run();
    Term ending = term;
    term = null;
    if (ending != null) {
      ending.end();
    }
    return ending != null;
  }
}
