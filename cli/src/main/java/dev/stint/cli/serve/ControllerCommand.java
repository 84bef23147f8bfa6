package dev.stint.cli.serve;

import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ContentTypeOption;
import dev.stint.cli.plane.ControllerNames;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.LeaderOptions;
import dev.stint.cli.plane.MetricsServing;
import dev.stint.cli.plane.RequestOptions;
import dev.stint.controllers.job.Claim;
import dev.stint.embedded.ControllerName;
import dev.stint.embedded.RemoteControllers;
import dev.stint.embedded.ThreadTimers;
import dev.stint.kube.KubeCluster;
import dev.stint.reconcile.leader.Sharding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stint controller}: runs the same controllers against another cluster. */
@Command(
    name = "controller",
    description = {
      "Run the Job controller for a cluster until Ctrl-C.",
      "It handles the Jobs whose spec.managedBy is its name, and ignores all others."
    })
public final class ControllerCommand implements Callable<Integer> {
  private static final String BUILT_IN = "built-in";

  /** The time between two statuses of the built-in controller, on an API that cannot do more. */
  private static final Duration LONGEST_STATUS_DELAY = Duration.ofSeconds(15);

  /** Controllers that other clusters have, or that need the API server of {@code stint up}. */
  private static final List<ControllerName> OF_THE_SERVER =
      List.of(ControllerName.ROOTCA, ControllerName.RESOURCEQUOTA);

  private final Console console;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of the cluster (default: $$KUBECONFIG, or in a pod: its service account).")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: its current context).")
  @Nullable String context;

  @Option(
      names = "--claim",
      paramLabel = "NAME|built-in",
      defaultValue = "stint.dev/job-controller",
      description =
          "Handle Jobs with this spec.managedBy; built-in stands for Jobs without it, if "
              + "the Job controller of the cluster is off (default: ${DEFAULT-VALUE}).")
  String claim = "";

  @Option(
      names = "--controllers",
      paramLabel = "all|LIST",
      defaultValue = "job",
      description =
          "Controllers to run: all, or a list of job, after, cronjob, ttl, gc, podgc, namespace "
              + "and serviceaccount. All except job and after handle every object of the cluster: "
              + "turn off those of the cluster first (default: ${DEFAULT-VALUE}).")
  String controllers = "job";

  @Option(
      names = "--shards",
      paramLabel = "N",
      description =
          "Share the Jobs among all replicas, in this many parts with a Lease each; about twice as "
              + "many as replicas, and the same for all of them (default: one replica leads, with "
              + "--leader-elect).")
  @Nullable Integer shards;

  @Option(
      names = "--console-token-file",
      paramLabel = "FILE",
      description =
          "File with a token of at least 32 characters that signs in to the console, at "
              + "/console/#sign-in=TOKEN of --metrics-listen; it may come and change later (default: "
              + "only the link that is printed on a terminal).")
  @Nullable Path consoleToken;

  @Mixin ContentTypeOption encoding = new ContentTypeOption();

  @Mixin RequestOptions requests = new RequestOptions();

  @Mixin LeaderOptions leader = new LeaderOptions();

  @Mixin ControllerOptions controller = new ControllerOptions();

  public ControllerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    controller.check();
    MetricsServing metrics = controller.metrics();
    if (consoleToken != null && !metrics.isWanted()) {
      throw new UserException("--console-token-file requires --metrics-listen ADDRESS:PORT");
    }
    RemoteControllers.Options options =
        new RemoteControllers.Options(
            chosen(),
            controller
                .jobs(claim(), _ -> true, requests.jobSyncs())
                .withLongestStatusDelay(LONGEST_STATUS_DELAY),
            leader.candidacy(claim, KubeCluster.podNamespace().orElse(null), sharding()),
            requests.requests(),
            metrics.metrics());
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster = cluster(timers);
        RemoteControllers work = new RemoteControllers(cluster, timers, options);
        RemoteWorkSession session = new RemoteWorkSession(console, cluster, work, metrics)) {
      if (shards != null) {
        metrics.reportShards(shards, work::shardsHeld);
      }
      if (!Logging.isStarted()) {
        Logging.toStandardErrorBriefly();
      }
      metrics.serveConsole(cluster, timers, consoleToken, console);
      return session.run("stint-controller", "Jobs managed by " + claim().controller(), () -> {});
    }
  }

  private Set<ControllerName> chosen() {
    Set<ControllerName> chosen = ControllerNames.parse(controllers);
    for (ControllerName name : OF_THE_SERVER) {
      if (chosen.remove(name) && !controllers.equals("all")) {
        throw new UserException(
            "--controllers: %s is only for stint up; remove it"
                .formatted(name.toString().toLowerCase(Locale.ROOT)));
      }
    }
    if (chosen.isEmpty()) {
      throw new UserException("--controllers: name at least one controller");
    }
    return chosen;
  }

  private @Nullable Sharding sharding() {
    if (shards == null) {
      return null;
    }
    if (!chosen().contains(ControllerName.JOB)) {
      throw new UserException("--shards: only Jobs are shared; add job to --controllers");
    }
    try {
      return new Sharding(shards);
    } catch (IllegalArgumentException fault) {
      throw new UserException("--shards: " + fault.getMessage());
    }
  }

  private Claim claim() {
    if (claim.equals(BUILT_IN)) {
      return Claim.BUILT_IN;
    }
    if (!claim.contains("/") || claim.startsWith("/") || claim.endsWith("/")) {
      throw new UserException(
          "--claim: \"%s\" is neither built-in nor a name such as stint.dev/job-controller"
              .formatted(claim));
    }
    return new Claim(claim);
  }

  private KubeCluster cluster(ThreadTimers timers) {
    Path file = kubeconfig == null ? named(console.environment().get("KUBECONFIG")) : kubeconfig;
    if (file != null) {
      return ClusterConnections.open("--kubeconfig", file, context, encoding.contentType(), timers);
    }
    if (context != null) {
      throw new UserException("--context requires --kubeconfig FILE");
    }
    return KubeCluster.inCluster(console.environment(), encoding.contentType(), timers)
        .orElseThrow(() ->
            new UserException(
                "--kubeconfig FILE is required, because this process does not run in a pod"));
  }

  private static @Nullable Path named(@Nullable String variable) {
    return variable == null || variable.isEmpty() ? null : Path.of(variable);
  }
}
