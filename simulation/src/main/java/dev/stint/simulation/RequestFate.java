package dev.stint.simulation;

/** What becomes of a request on its way. */
public enum RequestFate {
  /** It is carried out and answered. */
  GOOD,

  /** It is never carried out, and who asked hears that time is out. */
  REQUEST_LOST,

  /** It is carried out, and who asked hears that time is out. */
  ANSWER_LOST;

  /** Decides on requests. */
  @FunctionalInterface
  public interface Draw {
    /**
     * @param creates whether the request is to create something
     */
    RequestFate of(boolean creates);
  }
}
