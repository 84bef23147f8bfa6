package dev.stint.cli.run;

import dev.stint.cli.follow.RunTarget;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.report.Progress;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import java.util.Map;

/** The Jobs of a {@code run} on this machine, in a data directory. */
record LocalRunTarget(DataLocation data, Map<String, String> environment, RuntimeKind runtime)
    implements RunTarget {
  @Override
  public String flags(KubeObject job) {
    return data.flag(environment)
        + (job.namespace().equals("default") ? "" : " -n " + job.namespace());
  }

  @Override
  public String started(KubeObject job) {
    return "started, logs in " + placeOfLogs(job);
  }

  @Override
  public String resumed(KubeObject job) {
    return "resumed, " + Progress.succeeded(JobCounts.of(job));
  }

  @Override
  public String placeOfLogs(KubeObject job) {
    return AttemptHistory.jobDir(files(), job.namespace(), job.name()).toString();
  }

  @Override
  public LogSource logs(KubeObject job) {
    return new LogSource.Local(files(), job.namespace(), job.name());
  }

  @Override
  public boolean hasLogs() {
    return runtime == RuntimeKind.process || runtime == RuntimeKind.container;
  }

  @Override
  public LogTree files() {
    return new LogTree(data.logs());
  }
}
