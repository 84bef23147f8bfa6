package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;

/** Rules of Indexed Jobs. */
final class IndexedJobRules {
  /** The maximum parallelism, limited by the size of a Job object (KEP-3850, Risks). */
  static final int MAX_PARALLELISM = 100_000;

  private IndexedJobRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    if (!JobSpecRules.isIndexed(spec)) {
      return;
    }
    if (!spec.get("completions").exists()) {
      faults.required(
          spec.get("completions"), "is required with completionMode Indexed: how many indexes");
    }
    FieldPath parallelism = spec.get("parallelism");
    if (parallelism.count() > MAX_PARALLELISM) {
      faults.invalid(
          parallelism, parallelism.count() + " must be at most 100000 with completionMode Indexed");
    }
  }

  /** Checks the host names of the pods, which are made of the Job's name and the index. */
  static void podNames(FieldPath job, FieldErrors faults) {
    FieldPath spec = job.get("spec");
    long completions = spec.get("completions").count();
    if (!JobSpecRules.isIndexed(spec) || completions <= 0) {
      return;
    }
    FieldPath name = job.get("metadata", "name");
    String last = name.text() + "-" + (completions - 1);
    if (!Formats.isDnsLabel(last)) {
      faults.invalid(
          name,
          "the last index's pod would have the host name "
              + MessagePhrases.quoted(last)
              + ", which must be a DNS label: lower case letters, digits and '-', at most 63"
              + " characters");
    }
  }
}
