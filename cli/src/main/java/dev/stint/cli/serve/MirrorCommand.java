package dev.stint.cli.serve;

import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ContentTypeOption;
import dev.stint.cli.plane.LeaderOptions;
import dev.stint.cli.plane.MetricsServing;
import dev.stint.cli.plane.RequestOptions;
import dev.stint.embedded.RemoteMirror;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Names;
import dev.stint.model.field.Formats;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stint mirror}: hands Jobs of one cluster to others. */
@Command(
    name = "mirror",
    description = {
      "Run Jobs of one cluster (the manager) in others (the workers) until Ctrl-C.",
      "Jobs whose spec.managedBy is the claim are copied to a worker,",
      "and the statuses of the copies are written back to the manager."
    })
public final class MirrorCommand implements Callable<Integer> {
  private static final int LONGEST_CLAIM = 63;

  private final Console console;

  @Option(
      names = "--manager-kubeconfig",
      paramLabel = "FILE",
      required = true,
      description = "Kubeconfig of the cluster that holds the Jobs.")
  @Nullable Path managerKubeconfig;

  @Option(
      names = "--manager-context",
      paramLabel = "NAME",
      description = "Context of that kubeconfig (default: its current context).")
  @Nullable String managerContext;

  @Mixin WorkerOptions workers = new WorkerOptions();

  @Option(
      names = "--claim",
      paramLabel = "NAME",
      defaultValue = "stint.dev/mirror",
      description = "Mirror the Jobs with this spec.managedBy (default: ${DEFAULT-VALUE}).")
  String claim = "";

  @Option(
      names = "--metrics-listen",
      paramLabel = "ADDRESS:PORT",
      description =
          "Address to serve /metrics, /healthz and /readyz on, over plain HTTP; port 0 "
              + "picks a free port (default: none).")
  @Nullable InetSocketAddress metricsListen;

  @Mixin ContentTypeOption encoding = new ContentTypeOption();

  @Mixin RequestOptions requests = new RequestOptions();

  @Mixin LeaderOptions leader = new LeaderOptions();

  public MirrorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    checkClaim();
    MetricsServing metrics = new MetricsServing(metricsListen);
    if (!Logging.isStarted()) {
      Logging.toStandardErrorBriefly();
    }
    RemoteMirror.Options options = options(metrics);
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster manager =
            ClusterConnections.open(
                "--manager-kubeconfig",
                Objects.requireNonNull(managerKubeconfig),
                managerContext,
                encoding.contentType(),
                timers);
        WorkerOptions.Clients clients = workers.open(timers);
        RemoteWorkSession session =
            new RemoteWorkSession(
                console,
                manager,
                new RemoteMirror(manager, clients.workers(), timers, options),
                metrics)) {
      return session.run(
          "stint-mirror",
          "mirroring Jobs managed by %s to %s".formatted(claim, clients.describe()),
          () -> DistinctClusters.check(manager, clients.workers()));
    }
  }

  public RemoteMirror.Options options(MetricsServing metrics) {
    return new RemoteMirror.Options(
        claim,
        leader.candidacy(claim, null, null),
        workers.assignment(),
        requests.requests(),
        metrics.mirrorMetrics());
  }

  /** Rejects the built-in controller's claim: two controllers would fight over its Jobs. */
  private void checkClaim() {
    if (claim.equals(Names.BUILT_IN_CONTROLLER)) {
      throw new UserException(
          "--claim: %s is the cluster's own Job controller; choose another name, such as stint.dev/mirror"
              .formatted(claim));
    }
    String fault = Formats.domainPrefixedPath(claim);
    if (fault != null) {
      throw new UserException("--claim: " + fault);
    }
    if (claim.length() > LONGEST_CLAIM) {
      throw new UserException(
          "--claim: has %d characters, but spec.managedBy allows at most %d"
              .formatted(claim.length(), LONGEST_CLAIM));
    }
  }
}
