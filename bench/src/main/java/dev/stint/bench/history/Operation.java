package dev.stint.bench.history;

/**
 * One request of a client.
 *
 * @param call the time before it was sent, in nanoseconds
 * @param end the time after its answer came; if the answer is not known, the time from which on it
 *     cannot be carried out any more, which is the death of the process that may have it
 */
public record Operation(
    int client, String key, Action action, long call, long end, Outcome outcome) {
  /** The end of an operation that may still be carried out when the history ends. */
  public static final long NEVER = Long.MAX_VALUE;

  public Operation withEnd(long later) {
    return new Operation(client, key, action, call, later, outcome);
  }
}
