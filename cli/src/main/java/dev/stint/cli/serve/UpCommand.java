package dev.stint.cli.serve;

import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.cli.flag.DurationConverter;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.ControllerNames;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.controllers.gc.EventExpiry;
import dev.stint.embedded.ControllerName;
import dev.stint.runner.process.user.InheritedNames;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stint up}: serves a Kubernetes API. */
@Command(
    name = "up",
    description = {
      "Serve a Kubernetes API with Job controllers on this machine until Ctrl-C.",
      "kubectl and all other Kubernetes clients work with it.",
      "The state is kept on disk, and the next start continues from it."
    })
public final class UpCommand implements Callable<Integer> {
  private static final Duration LEAST_EVENT_TTL = Duration.ofMinutes(1);

  private final Console console;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      defaultValue = "127.0.0.1:6443",
      description = "Address to serve on; port 0 picks a free port (default: ${DEFAULT-VALUE}).")
  InetSocketAddress listen = InetSocketAddress.createUnresolved("127.0.0.1", 6443);

  @Option(
      names = "--kubeconfig-out",
      paramLabel = "FILE",
      description =
          "File to write the kubeconfig to, in addition to the one in the data directory.")
  @Nullable Path kubeconfigOut;

  @Option(
      names = "--runtime",
      paramLabel = "process|container|simulated|none",
      description =
          "How to run pods: as processes, in containers, simulated, or not at all (none), "
              + "if another kubelet runs them (default: process).")
  RuntimeKind runtime = RuntimeKind.process;

  @Option(
      names = "--controllers",
      paramLabel = "all|none|LIST",
      defaultValue = "all",
      description =
          "Controllers to run: all, none, or a list of job, after, cronjob, ttl, gc, podgc, "
              + "namespace, serviceaccount, rootca and resourcequota. With --runtime none, all "
              + "excludes podgc, which would delete the pods of unknown nodes "
              + "(default: ${DEFAULT-VALUE}).")
  String controllers = "all";

  @Option(
      names = "--allow-privileged",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = "Allow privileged containers (default: ${DEFAULT-VALUE}).")
  boolean allowPrivileged;

  @Option(
      names = "--event-ttl",
      paramLabel = "DURATION",
      defaultValue = "1h",
      description =
          "Time to keep events after their last occurrence, at least 1m "
              + "(default: ${DEFAULT-VALUE}).")
  Duration eventTtl = EventExpiry.DEFAULT_TIME_TO_LIVE;

  @Mixin AdmissionOptions admission = new AdmissionOptions();

  @Mixin ServiceOptions services = new ServiceOptions();

  @Mixin PodUserOptions podUser = new PodUserOptions();

  @Mixin SharingOptions sharing = new SharingOptions();

  @Mixin AuditOptions audit = new AuditOptions();

  @Mixin NodeOptions node = new NodeOptions();

  @Mixin ControllerOptions controller = new ControllerOptions();

  public UpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    controller.check();
    checkEventTtl();
    Set<ControllerName> chosen = ControllerNames.parse(controllers);
    if (controllers.equals("all") && runtime == RuntimeKind.none) {
      chosen.remove(ControllerName.PODGC); // It would delete pods of unregistered nodes.
    }
    int mostPods = node.mostPods(runtime);
    DataLocation data = node.location(console.environment());
    PodOptions pods =
        node.pods(InheritedNames.FEW)
            .with(podUser.users(runtime, data))
            .withDaemon(runtime, console.environment());
    UpSession.Options options =
        new UpSession.Options(
            data,
            listen,
            kubeconfigOut,
            runtime,
            chosen,
            audit.settings(console.out()),
            mostPods,
            sharing.mostPodsPerNamespace(),
            sharing.limits(HttpLimits.ofThisMachine()),
            node.store(),
            node.encryption().configuration(),
            pods,
            allowPrivileged,
            admission.podSecurity(runtime == RuntimeKind.container || podUser.isGiven()),
            services.addresses(),
            eventTtl);
    try (UpSession session = UpSession.open(console, options, controller)) {
      return session.serve();
    }
  }

  private void checkEventTtl() {
    if (eventTtl.compareTo(LEAST_EVENT_TTL) < 0) {
      throw new UserException(
          "--event-ttl is %s; it must be at least %s"
              .formatted(
                  DurationConverter.format(eventTtl), DurationConverter.format(LEAST_EVENT_TTL)));
    }
  }
}
