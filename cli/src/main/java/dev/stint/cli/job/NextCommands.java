package dev.stint.cli.job;

import dev.stint.jobs.JobState;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.after.AfterProgress;
import dev.stint.model.job.mirror.Mirrored;
import java.util.ArrayList;
import java.util.List;

/** Suggests the commands that a user may run next for a Job. */
final class NextCommands {
  private static final String START_CONTROLLER =
      "stint run with the same file or list, or stint up, because no controller is running";

  private NextCommands() {}

  /**
   * Returns the commands, the most useful first.
   *
   * @param hasController true if a controller is running that works on the Job
   * @param flags the flags that name the place of the Job, each with a space before it
   * @param workers the flags that name the user's accounts of a mirror's workers, likewise
   */
  static List<String> of(KubeObject job, boolean hasController, String flags, String workers) {
    return Mirrored.of(job)
        .map(mirrored -> ofMirrored(job, mirrored, flags, workers))
        .orElseGet(() -> ofLocal(job, hasController, flags));
  }

  /** Returns the commands for a Job whose pods and logs are on another cluster. */
  private static List<String> ofMirrored(
      KubeObject job, Mirrored mirrored, String flags, String workers) {
    String worker = mirrored.worker().isEmpty() ? "worker" : mirrored.worker();
    String place = workers.isEmpty() ? " --worker " + worker + "=FILE" : workers;
    String logs = "stint logs " + job.name() + flags + place;
    String wait = "stint wait " + job.name() + flags;
    return switch (JobState.of(job)) {
      case DELETING -> mirrored.problem().isEmpty() ? List.of() : giveUp(job, flags);
      case COMPLETE, SUCCEEDING, FAILED -> List.of(logs);
      default -> mirrored.problem().isEmpty() ? List.of(logs, wait) : List.of(wait);
    };
  }

  /** Returns a command that removes a mirror's finalizer, and nothing else. */
  private static List<String> giveUp(KubeObject job, String flags) {
    int at = job.finalizers().indexOf(Mirrored.FINALIZER);
    String path = "/metadata/finalizers/" + at;
    return at < 0
        ? List.of()
        : List.of(
            "to give up its copy, only if the worker is gone for good: kubectl%s patch job %s -n %s --type=json -p '[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"%s\"},{\"op\":\"test\",\"path\":\"%s\",\"value\":\"%s\"},{\"op\":\"remove\",\"path\":\"%s\"}]'"
                .formatted(
                    flags.contains(" --data ") ? "" : flags.replaceAll(" -n \\S+", ""),
                    job.name(),
                    job.namespace(),
                    job.uid(),
                    path,
                    Mirrored.FINALIZER,
                    path));
  }

  private static List<String> ofLocal(KubeObject job, boolean hasController, String flags) {
    String name = job.name();
    boolean indexed = "Indexed".equals(Json.text(job.spec(), "completionMode"));
    return switch (JobState.of(job)) {
      case FAILED -> {
        List<String> next = new ArrayList<>(List.of("stint logs " + name + " --failed" + flags));
        if (indexed) {
          next.add("stint rerun " + name + " --failed" + flags);
        }
        yield next;
      }
      case SUSPENDED ->
          AfterProgress.isWaiting(job)
              ? List.of(hasController ? "stint wait " + name + flags : START_CONTROLLER)
              : List.of("stint resume " + name + flags);
      case COMPLETE, SUCCEEDING -> List.of("stint logs " + name + flags);
      case FAILING ->
          hasController
              ? List.of("stint logs " + name + " --failed" + flags, "stint wait " + name + flags)
              : List.of(START_CONTROLLER);
      case INTERRUPTED ->
          hasController
              ? List.of("stint run with the same file or list", "stint resume " + name + flags)
              : List.of(START_CONTROLLER);
      case RUNNING, WAITING ->
          hasController
              ? List.of("stint logs " + name + " -f" + flags, "stint wait " + name + flags)
              : List.of(START_CONTROLLER);
      case DELETING -> List.of();
    };
  }
}
