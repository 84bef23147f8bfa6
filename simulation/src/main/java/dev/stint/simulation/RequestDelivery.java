package dev.stint.simulation;

/** The fate of a request on its way. */
public enum RequestDelivery {
  /** It is carried out and answered. */
  GOOD,

  /** It is never carried out, and the caller gets a timeout. */
  REQUEST_LOST,

  /** It is carried out, but the caller gets a timeout. */
  ANSWER_LOST;

  /** Decides on requests. */
  @FunctionalInterface
  public interface Draw {
    /**
     * @param creates true if the request creates an object
     */
    RequestDelivery of(boolean creates);
  }
}
