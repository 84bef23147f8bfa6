package dev.stint.cli.run;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import org.jspecify.annotations.Nullable;

/** The state of the existing Job that has a document's name, if any. */
enum RequestedJobState {
  /** There is none: create it. */
  ABSENT,
  /** It is unfinished and from the same document: resume it. */
  RESUMED,
  /**
   * It is finished, but no {@code run} has reported its outcome, since it died before: report it
   * now.
   */
  UNREPORTED,
  /** It is finished and reported: start anew. */
  SPENT,
  /** It is unfinished and from another document: refuse. */
  CHANGED;

  static RequestedJobState of(RequestedJob requested, @Nullable KubeObject existing) {
    if (existing == null) {
      return ABSENT;
    }
    boolean same = requested.digest().equals(existing.annotation(RequestedJob.DOCUMENT));
    if (!JobStatus.read(existing.status()).isFinished()) {
      return same ? RESUMED : CHANGED;
    }
    boolean reported = existing.annotation(RequestedJob.REPORTED) != null;
    return same && !reported ? UNREPORTED : SPENT;
  }
}
