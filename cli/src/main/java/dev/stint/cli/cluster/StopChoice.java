package dev.stint.cli.cluster;

import java.util.Locale;

/** The fate of Jobs on a cluster after Ctrl-C. */
enum StopChoice {
  /** They go on. */
  LEAVE,
  /** Their pods are stopped until they are resumed. */
  SUSPEND,
  /** They fail. */
  CANCEL;

  /** Returns the choice of an answer; whatever is not clear leaves the Jobs running. */
  static StopChoice of(String answer) {
    return switch (answer.strip().toLowerCase(Locale.ROOT)) {
      case "s", "suspend" -> SUSPEND;
      case "c", "cancel" -> CANCEL;
      default -> LEAVE;
    };
  }
}
