package dev.stint.console;

import dev.stint.cluster.ClusterException;

/** Explains on a page that the API refused a read. */
final class MissingRights {
  private MissingRights() {}

  /**
   * Returns the reason of a refusal, with a pointer to the missing rights if it is FORBIDDEN.
   *
   * @param what names what failed, such as {@code its log cannot be read}
   */
  static String explain(String what, ClusterException refused) {
    String why = what + ": " + refused.getMessage();
    return refused.reason() == ClusterException.Reason.FORBIDDEN
        ? why + "; kubectl apply -k deploy/console grants the missing rights"
        : why;
  }
}
