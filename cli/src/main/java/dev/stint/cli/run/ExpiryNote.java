package dev.stint.cli.run;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.FewNames;
import dev.stint.model.Json;
import java.util.List;
import java.util.Optional;

/** Tells a user, once a command, that its Jobs stay although they are to expire. */
final class ExpiryNote {
  private ExpiryNote() {}

  /** Returns one line about the Jobs with a time to live; empty if there are none. */
  static Optional<String> of(List<RequestedJob> jobs) {
    List<String> expiring =
        jobs.stream()
            .filter(job -> Json.integer(job.tree().get("spec"), "ttlSecondsAfterFinished") != null)
            .map(RequestedJob::name)
            .toList();
    return expiring.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s: only stint up deletes Jobs after their ttlSecondsAfterFinished; without it, use stint gc"
                .formatted(FewNames.of(expiring)));
  }
}
