package dev.stint.bench.day;

import java.util.Locale;

/** The figures of each minute. Their names are the columns of the file of samples, in order. */
enum Figure {
  /** The heap after a full collection. */
  HEAP("heap after collection", "MB", 10),
  RESIDENT("resident memory", "MB", 20),
  THREADS("threads", "", 5),
  DESCRIPTORS("open file descriptors", "", 10),
  DISK("data directory", "MB", 20),
  /** Files and directories in the data directory. */
  FILES("files in the data directory", "", 200),
  OBJECTS("Jobs, pods and events", "", 200),
  COMPLETE("creation to Complete, median", "ms", 10),
  COMPLETE_P99("creation to Complete, p99", "ms", 200),
  CREATE("a creation, median", "ms", 5),
  CREATE_P99("a creation, p99", "ms", 100),
  READY("/readyz on a new connection, median", "ms", 5),
  READY_P99("/readyz on a new connection, p99", "ms", 100),
  /** How many Jobs were created in the minute. Not judged. */
  CREATED("Jobs created", "", Double.POSITIVE_INFINITY),
  /** The load of the machine, which others may use too. Not judged. */
  LOAD("load of the machine", "", Double.POSITIVE_INFINITY);

  private final String title;
  private final String unit;
  private final double slack;

  Figure(String title, String unit, double slack) {
    this.title = title;
    this.unit = unit;
    this.slack = slack;
  }

  String title() {
    return title;
  }

  /** Returns by how much it may grow besides a share, in its unit. */
  double slack() {
    return slack;
  }

  boolean isJudged() {
    return Double.isFinite(slack);
  }

  String format(double value) {
    String number = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value);
    return unit.isEmpty() ? number : number + " " + unit;
  }
}
