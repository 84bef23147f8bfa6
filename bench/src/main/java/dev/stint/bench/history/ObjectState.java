package dev.stint.bench.history;

/**
 * The state of one object of an API.
 *
 * <p>The uid and the revision that an unanswered write gave it are unknown until somebody sees
 * them.
 */
sealed interface ObjectState {

  /** The lowest revision that the object's next version may have. */
  long next();

  /** There is no object. */
  record Missing(long next) implements ObjectState {}

  /** All is known of the object. */
  record Present(Version version) implements ObjectState {
    @Override
    public long next() {
      return version.revision() + 1;
    }
  }

  /**
   * The result of a write without an answer.
   *
   * @param uid "" if it is unknown, too
   * @param least the lowest revision that it may have
   */
  record Guessed(String uid, long least, Content content) implements ObjectState {
    @Override
    public long next() {
      return least + 1;
    }
  }
}
