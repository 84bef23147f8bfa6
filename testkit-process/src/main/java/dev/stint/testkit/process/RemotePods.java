package dev.stint.testkit.process;

import java.time.Duration;

/**
 * A rule for pods: first selects them, then sets their behaviour, as {@code PodScript} in Stint's
 * testkit does.
 *
 * @param job the name of their Job; "" for any
 * @param indexes such as {@code 0-4,7}; "" for any
 * @param attempt from 1 on; "" for any
 */
public record RemotePods(RemoteControlPlane of, String job, String indexes, String attempt) {
  /** Selects only pods of Jobs of this name. */
  public RemotePods ofJob(String name) {
    return new RemotePods(of, name, indexes, attempt);
  }

  /** Selects only pods of these indexes. */
  public RemotePods onIndexes(String chosen) {
    return new RemotePods(of, job, chosen, attempt);
  }

  /** Selects one attempt only, from 1 on. */
  public RemotePods attempt(int number) {
    return new RemotePods(of, job, indexes, Integer.toString(number));
  }

  /** Makes them exit with this code. */
  public RemotePods exits(int code) {
    return set("exits", Integer.toString(code));
  }

  /** Makes them run for this long. */
  public RemotePods runsFor(Duration time) {
    return set("runsFor", time.toString());
  }

  /** Makes them run until they are stopped. */
  public RemotePods neverEnds() {
    return set("neverEnds", "");
  }

  /** Makes them take this long to exit after the signal to stop. */
  public RemotePods takesToStop(Duration time) {
    return set("takesToStop", time.toString());
  }

  private RemotePods set(String behaviour, String value) {
    of.ask("pods", job, indexes, attempt, behaviour, value);
    return this;
  }
}
