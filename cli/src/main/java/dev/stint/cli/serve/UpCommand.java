package dev.stint.cli.serve;

import dev.stint.cli.output.Console;
import dev.stint.cli.plane.ControllerNames;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.embedded.ControllerName;
import java.net.InetSocketAddress;
import java.nio.file.Path;
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
      "Serve a Kubernetes API on this machine, with the controllers for Jobs, until Ctrl-C.",
      "Kubectl and every other client work against it. State is kept; the next start goes on."
    })
public final class UpCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      defaultValue = "127.0.0.1:6443",
      description = "Where to serve; port 0 is any free one (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress listen = InetSocketAddress.createUnresolved("127.0.0.1", 6443);

  @Option(
      names = "--kubeconfig-out",
      paramLabel = "FILE",
      description = "Where to write what clients need. Default: kubeconfig in the data directory.")
  private @Nullable Path kubeconfigOut;

  @Option(
      names = "--runtime",
      paramLabel = "process|container|simulated|none",
      description = {
        "What pods become: processes (default), containers, nothing but time passing,",
        "or nothing, where somebody else writes their statuses."
      })
  private RuntimeKind runtime = RuntimeKind.process;

  @Option(
      names = "--controllers",
      paramLabel = "all|none|LIST",
      defaultValue = "all",
      description = {
        "Which controllers work (default: ${DEFAULT-VALUE}). LIST is some of:",
        "job,cronjob,ttl,gc,podgc,namespace,serviceaccount,rootca.",
        "With --runtime none, all leaves out podgc, which takes pods of unknown nodes."
      })
  private String controllers = "all";

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description = "Where to write a line for every write, as JSON. Default: nowhere.")
  private @Nullable Path auditLog;

  @Option(
      names = "--allow-privileged",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = "Whether pods may have privileged containers (default: ${DEFAULT-VALUE}).")
  private boolean allowPrivileged;

  @Mixin private NodeOptions node = new NodeOptions();

  @Mixin private ControllerOptions controller = new ControllerOptions();

  public UpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    controller.check();
    Set<ControllerName> chosen = ControllerNames.parse(controllers);
    if (controllers.equals("all") && runtime == RuntimeKind.none) {
      chosen.remove(ControllerName.PODGC); // It would delete pods of unregistered nodes.
    }
    int mostPods = node.mostPods(runtime);
    UpSession.Options options =
        new UpSession.Options(
            node.location(console.environment()),
            listen,
            kubeconfigOut,
            runtime,
            chosen,
            auditLog,
            mostPods,
            node.store(),
            node.pods(),
            allowPrivileged);
    try (UpSession session = UpSession.open(console, options, controller)) {
      return session.serve();
    }
  }
}
