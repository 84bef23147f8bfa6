package dev.stint.console;

import dev.stint.cluster.ClusterException;

/** What a page says where the API refuses what it would show. */
final class MissingRights {
  private MissingRights() {}

  /**
   * Why something can't be read, and, where that is a matter of rights, where they are.
   *
   * @param what can't be done, such as {@code its log cannot be read}
   */
  static String words(String what, ClusterException refused) {
    String why = what + ": " + refused.getMessage();
    return refused.reason() == ClusterException.Reason.FORBIDDEN
        ? why + "; kubectl apply -k deploy/console grants what this page reads"
        : why;
  }
}
