package dev.stint.cli.run;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Tells a user that a Job will not run as many pods at once as it asks for. */
final class ParallelismNote {
  private ParallelismNote() {}

  /**
   * Returns one line; empty if the Job gets its parallelism.
   *
   * @param mostPods the number of pods that run at once
   */
  static Optional<String> of(RequestedJob job, int mostPods) {
    JsonNode spec = job.tree().get("spec");
    int parallelism = count(spec, "parallelism", 1);
    int wanted = Math.min(parallelism, count(spec, "completions", parallelism));
    return wanted <= mostPods
        ? Optional.empty()
        : Optional.of(
            "%s: asks for %d pods at once, but at most %d run; raise it with --max-pods %d"
                .formatted(job.name(), wanted, mostPods, wanted));
  }

  private static int count(@Nullable JsonNode spec, String field, int otherwise) {
    Integer found = Json.integer(spec, field);
    return found == null ? otherwise : found;
  }
}
