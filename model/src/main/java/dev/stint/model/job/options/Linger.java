package dev.stint.model.job.options;

/** The way of the pods that run when their Job has succeeded before all of them have (KEP-3998). */
public enum Linger {
  /** They are ended. */
  Terminate,
  /** They go on to their own end, whatever it is. */
  Continue,
  /** They go on, and those that fail are replaced as before. */
  ContinueWithRecreations;

  /**
   * Reads the name of a way.
   *
   * @param early whether the Job may succeed before all of its pods have
   * @throws IllegalArgumentException with a complaint that follows the annotation's name
   */
  static Linger parse(String text, boolean early, JobShape job) {
    Linger linger =
        switch (text) {
          case "Terminate" -> Terminate;
          case "Continue" -> Continue;
          case "ContinueWithRecreations" -> ContinueWithRecreations;
          default ->
              throw new IllegalArgumentException(
                  "needs Terminate, Continue or ContinueWithRecreations");
        };
    OptionForms.require(
        early || job.successRules() > 0,
        "needs a spec.successPolicy, "
            + JobOptions.SUCCESS_PERCENTAGE
            + " or "
            + JobOptions.SUCCESS_COUNT);
    OptionForms.require(
        linger != ContinueWithRecreations || job.indexed(),
        "can be ContinueWithRecreations for Indexed Jobs only: without indexes, nothing tells which"
            + " pods to replace");
    return linger;
  }
}
