package dev.stint.cli.run;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.ManualJob;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint cronjob run NAME}: starts a Job of a CronJob now. */
@Command(
    name = "cronjob",
    description = {
      "Run a Job of a CronJob now, whatever its schedule, as kubectl create job --from does.",
      "If no stint up uses the data directory, the new Job runs here, as with stint run. On a",
      "cluster, it is followed to its end, as with stint run."
    },
    footer = {"", "Example:", "  stint cronjob run nightly"})
public final class CronJobCommand extends NewJobCommand {
  /** The action of the command; a word of its own, since more may follow. */
  enum Action {
    run
  }

  @Parameters(
      index = "0",
      paramLabel = "run",
      description = "Create a Job from the template of the CronJob.")
  @SuppressWarnings("UnusedVariable") // There is only one.
  Action action = Action.run;

  @Parameters(index = "1", paramLabel = "CRONJOB", description = "Name of the CronJob.")
  String cronJob = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the new Job (default: CRONJOB-manual-1, or the next free number).")
  @Nullable String name;

  @Option(names = "--dry-run", description = "Print the new Job as YAML, and do not create it.")
  boolean dryRun;

  @Option(
      names = {"-f", "--follow"},
      description =
          "Print the logs as they are written, each line with its index and attempt. Follows the "
              + "Job to its end on stint up, too.")
  boolean follow;

  /**
   * @param clusters follows Jobs of clusters
   */
  public CronJobCommand(Console console, ClusterRun.Executor clusters) {
    super(console, clusters);
  }

  @Override
  boolean isDryRun() {
    return dryRun;
  }

  @Override
  boolean isFollowing() {
    return follow;
  }

  @Override
  NewJob newJob(JobsTarget target) {
    KubeObject from = found(target);
    String chosen =
        name == null ? ManualJob.name(from, names(target, from.namespace())::contains) : name;
    if (ApiCalls.find(target.cluster(), new ObjectRef(Kind.JOB, from.namespace(), chosen))
        != null) {
      throw exists(chosen);
    }
    return new NewJob(
        ManualJob.of(from, chosen),
        "a Job of CronJob " + from.name(),
        document -> create(target, KubeObject.of(document)),
        !follow); // A pod may end before its log is followed if its Job is created ahead.
  }

  /** Creates the Job; fails if one of this name exists. */
  private static KubeObject create(JobsTarget target, KubeObject job) {
    try {
      return ApiCalls.await(target.cluster().create(job));
    } catch (ClusterException refusal) {
      throw refusal.reason() == Reason.ALREADY_EXISTS ? exists(job.name()) : refusal;
    }
  }

  private static UserException exists(String job) {
    return new UserException("Job \"" + job + "\" exists; choose another --name");
  }

  private KubeObject found(JobsTarget target) {
    String plain = cronJob.substring(cronJob.indexOf('/') + 1);
    KubeObject found =
        ApiCalls.find(target.cluster(), new ObjectRef(Kind.CRON_JOB, target.namespace(), plain));
    if (found == null) {
      throw new UserException(
          "no CronJob \"%s\" in namespace %s (%s)"
              .formatted(plain, target.namespace(), existing(target)));
    }
    return found;
  }

  private static String existing(JobsTarget target) {
    List<KubeObject> all =
        ApiCalls.await(target.cluster().list(Kind.CRON_JOB, target.namespace())).items();
    return all.isEmpty()
        ? "it has none"
        : "its CronJobs: "
            + all.stream().limit(10).map(KubeObject::name).collect(Collectors.joining(", "))
            + (all.size() > 10 ? ", …" : "");
  }
}
