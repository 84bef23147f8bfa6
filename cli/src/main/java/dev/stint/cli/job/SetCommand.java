package dev.stint.cli.job;

import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.flag.ShareConverter;
import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.JobEdit;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.JobState;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobSpec;
import java.time.Duration;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint set JOB...}: changes the fields of Jobs that may change while they run. */
@Command(
    name = "set",
    description = {
      "Change the parallelism, the limits or the deadline of Jobs, also while they run.",
      "Pods that run go on, unless there are more of them than the new parallelism allows.",
      "Kubernetes lets no other field of a Job change."
    },
    footer = {"", "Example:", "  stint set hello --parallel 8 --deadline 2h"})
public final class SetCommand extends JobsCommand {
  private static final String TTL = "ttlSecondsAfterFinished";

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Number of pods that run at once, as parallelism.")
  @Nullable Integer parallel;

  @Option(
      names = "--deadline",
      paramLabel = "DURATION|none",
      description =
          "Time from the start of the Job after which it fails, as activeDeadlineSeconds.")
  @Nullable String deadline;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "Number of failed pods that are replaced, as backoffLimit. The retries of each index "
              + "(backoffLimitPerIndex) cannot be changed.")
  @Nullable Integer retries;

  @Option(
      names = "--max-failed",
      paramLabel = "N|P%",
      converter = ShareConverter.Converter.class,
      description = "Number of indexes that may fail before the Job fails, as maxFailedIndexes.")
  @Nullable ShareConverter maxFailed;

  @Option(
      names = "--completions",
      paramLabel = "N",
      description =
          "Number of indexes of an Indexed Job, as completions and parallelism, which change "
              + "together only.")
  @Nullable Integer completions;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION|none",
      description =
          "Time from the Job's end to its deletion, as ttlSecondsAfterFinished. stint run leaves "
              + "the deletion to stint up.")
  @Nullable String ttl;

  /** True if the list of a Job has a line for an index. */
  private BiPredicate<KubeObject, Integer> hasLine = (_, _) -> true;

  public SetCommand(Console console) {
    super(console);
  }

  @Override
  public void check() {
    if (fields(null).isEmpty()) {
      throw new UserException(
          "name what to change: --parallel, --deadline, --retries, --max-failed, --completions or"
              + " --ttl");
    }
  }

  @Override
  void check(JobsTarget target) {
    hasLine = (job, index) -> mayHaveLine(target.cluster(), job, index);
  }

  private static boolean mayHaveLine(Cluster cluster, KubeObject job, int index) {
    try {
      return JobItems.of(cluster, job).map(items -> items.item(index).isPresent()).orElse(true);
    } catch (ClusterException unreadable) {
      return true;
    }
  }

  /** True if it is a Job of a list that is shorter. */
  private boolean isBeyondList(KubeObject job) {
    return completions != null
        && completions > 0
        && job.annotation(RunAnnotations.EACH) != null
        && !hasLine.test(job, completions - 1);
  }

  @Override
  String refusal(KubeObject job) {
    JobState state = JobState.of(job);
    ObjectNode fields = fields(job);
    if (state == JobState.DELETING) {
      return job.name() + " is being deleted";
    }
    if (state.isFinished()
        && fields.propertyStream().anyMatch(each -> !each.getKey().equals(TTL))) {
      return job.name() + " is finished; only --ttl can be set";
    }
    if (retries != null && spec(job).backoffLimitPerIndex() != null) {
      return "--retries: %s has backoffLimitPerIndex, which cannot be changed once the Job exists"
          .formatted(job.name());
    }
    if (isBeyondList(job)) {
      return "--completions: the list of %s is shorter; add lines to it, and use stint run --each again"
          .formatted(job.name());
    }
    return JobEdit.ofSpec(job, fields, FeatureGates.DEFAULT).faults().stream()
        .map(fault -> fault.path() + ": " + fault.detail())
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining("; "),
                faults -> faults.isEmpty() ? "" : job.name() + ": " + faults));
  }

  @Override
  Done change(JobsTarget target, KubeObject job) {
    JobEdit edit = JobEdit.ofSpec(job, fields(job), FeatureGates.DEFAULT);
    return edit.isEmpty()
        ? new Done(job, "has these values already")
        : new Done(edit.apply(target.cluster()), String.join(", ", edit.words()));
  }

  /**
   * Returns the fields to set; null removes one.
   *
   * @param job null to check the flags only
   */
  private ObjectNode fields(@Nullable KubeObject job) {
    ObjectNode fields = Json.object();
    if (completions != null) {
      fields.put("completions", completions).put("parallelism", completions);
    }
    if (parallel != null) {
      fields.put("parallelism", parallel);
    }
    if (retries != null) {
      fields.put("backoffLimit", retries);
    }
    ShareConverter share = maxFailed;
    if (share != null) {
      fields.put("maxFailedIndexes", share.atMostOf(completions(job)));
    }
    putSeconds(fields, "activeDeadlineSeconds", "--deadline", deadline);
    putSeconds(fields, TTL, "--ttl", ttl);
    return fields;
  }

  private static void putSeconds(
      ObjectNode fields, String field, String flag, @Nullable String value) {
    if (value == null) {
      return;
    }
    if (value.equals("none")) {
      fields.putNull(field);
      return;
    }
    try {
      Duration duration = DurationConverter.parse(value);
      if (!duration.equals(Duration.ofSeconds(duration.toSeconds()))) {
        throw new IllegalArgumentException("\"" + value + "\" must be whole seconds");
      }
      fields.put(field, duration.toSeconds());
    } catch (IllegalArgumentException fault) {
      throw new UserException(flag + " " + fault.getMessage() + "; or none");
    }
  }

  /** Returns the number of indexes that a Job will have; 0 if it is unknown. */
  private int completions(@Nullable KubeObject job) {
    Integer all = completions != null || job == null ? completions : spec(job).completions();
    return all == null ? 0 : all;
  }

  private static JobSpec spec(KubeObject job) {
    ObjectNode spec = job.spec();
    return JobSpec.read(spec == null ? Json.object() : spec);
  }
}
