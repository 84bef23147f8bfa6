package dev.stint.reconcile.leader;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * One term of leadership, which the leader checks right before each write. It is over once the
 * lease has not been renewed for the renew deadline, even if the whole process was paused and has
 * not noticed. Thread-safe.
 */
public final class Term {
  private final InstantSource steady;
  private final InstantSource wall;
  private volatile Limits limits;
  private volatile boolean ended;

  /**
   * The end of the term on two clocks: one stands still while a machine sleeps, the other can be
   * set.
   */
  private record Limits(Instant steady, Instant wall) {}

  /** Creates a term that never ends by itself, for processes without an election. */
  public Term() {
    this(
        InstantSource.fixed(Instant.MIN),
        InstantSource.fixed(Instant.MIN),
        Instant.MAX,
        Instant.MAX);
  }

  private Term(InstantSource steady, InstantSource wall, Instant untilSteady, Instant untilWall) {
    this.steady = steady;
    this.wall = wall;
    this.limits = new Limits(untilSteady, untilWall);
  }

  static Term of(InstantSource steady, InstantSource wall, Moment began, Duration renewDeadline) {
    return new Term(
        steady, wall, began.steady().plus(renewDeadline), began.wall().plus(renewDeadline));
  }

  /** A point in time on both clocks. */
  record Moment(Instant steady, Instant wall) {}

  /** True while writes are allowed. */
  public boolean holds() {
    Limits until = limits;
    return !ended
        && steady.instant().isBefore(until.steady())
        && wall.instant().isBefore(until.wall());
  }

  /**
   * Records that the lease was renewed.
   *
   * @param sent when the renewal was sent: no other process can have seen it earlier
   */
  void renew(Moment sent, Duration renewDeadline) {
    limits = new Limits(sent.steady().plus(renewDeadline), sent.wall().plus(renewDeadline));
  }

  /** Ends the term for good. */
  void end() {
    ended = true;
  }
}
