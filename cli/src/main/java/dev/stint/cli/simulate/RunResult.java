package dev.stint.cli.simulate;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * The result of one run.
 *
 * @param jobs the results of its Jobs, at least one, in their order
 */
record RunResult(List<JobResult> jobs) {
  RunResult {
    jobs = List.copyOf(jobs);
  }

  /** Returns the result of all Jobs together: until the last one ends, complete if all are. */
  JobResult all() {
    return jobs.size() == 1
        ? jobs.getFirst()
        : new JobResult(
            jobs.stream().allMatch(JobResult::complete),
            reason(),
            jobs.stream().map(JobResult::waiting).min(Comparator.naturalOrder()).orElseThrow(),
            jobs.stream().map(JobResult::makespan).max(Comparator.naturalOrder()).orElseThrow(),
            jobs.stream().mapToInt(JobResult::attempts).sum(),
            jobs.stream().mapToInt(JobResult::failedAttempts).sum(),
            jobs.stream().map(JobResult::podTime).reduce(Duration.ZERO, Duration::plus),
            jobs.stream().mapToInt(JobResult::succeeded).sum(),
            jobs.stream().mapToInt(JobResult::failed).sum(),
            "",
            "");
  }

  /** Returns the reason of the first Job that is not complete, else that of the last Job. */
  private String reason() {
    return jobs.stream().filter(job -> !job.complete()).findFirst().orElse(jobs.getLast()).reason();
  }
}
