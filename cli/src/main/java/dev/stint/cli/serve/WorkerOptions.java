package dev.stint.cli.serve;

import dev.stint.cli.flag.NamedCluster;
import dev.stint.cli.flag.NamedClusterConverter;
import dev.stint.cli.flag.NamedSelector;
import dev.stint.cli.flag.NamedSelectorConverter;
import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Timers;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.kube.ContentType;
import dev.stint.kube.KubeCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a mirror that name its workers; a mixin. */
public final class WorkerOptions {
  @Option(
      names = "--worker-kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of the cluster that runs the copies, if it is the only one.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--worker-context",
      paramLabel = "NAME",
      description = "Context of that kubeconfig (default: its current context).")
  @Nullable String context;

  @Option(
      names = "--worker",
      paramLabel = "NAME=FILE[:CONTEXT]",
      converter = NamedClusterConverter.class,
      description =
          "One of several clusters that run copies: its name and its kubeconfig; may be repeated. "
              + "A Job goes to the first one that answers and takes its labels.")
  List<NamedCluster> workers = List.of();

  @Option(
      names = "--worker-selector",
      paramLabel = "NAME=LABEL=VALUE,...",
      converter = NamedSelectorConverter.class,
      description =
          "Labels of the Jobs that this worker takes, such as east=team=red,tier!=batch; may be "
              + "repeated for other workers (default: it takes all Jobs).")
  List<NamedSelector> selectors = List.of();

  @Option(
      names = "--worker-lost-after",
      paramLabel = "DURATION",
      defaultValue = "15m",
      description =
          "Time for which one of several workers may be unreachable before its Jobs start anew "
              + "on others (default: ${DEFAULT-VALUE}).")
  Duration lostAfter = Duration.ofMinutes(15);

  /** The clients of all workers. */
  record Clients(List<MirrorWorker> workers, List<KubeCluster> clusters) implements AutoCloseable {
    /** Returns the workers' addresses, for people. */
    String describe() {
      return workers.stream()
          .map(worker -> {
            String url = ((KubeCluster) worker.cluster()).url();
            return worker.name() == null ? url : worker.name() + " (" + url + ")";
          })
          .collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
      clusters.forEach(KubeCluster::close);
    }
  }

  /**
   * Checks the flags, and opens clients of all workers.
   *
   * @throws UserException if flags contradict each other, or a file describes no cluster
   */
  Clients open(Timers timers) {
    Map<String, Predicate<Map<String, String>>> byName = check();
    List<MirrorWorker> opened = new ArrayList<>();
    List<KubeCluster> clusters = new ArrayList<>();
    Clients clients = new Clients(opened, clusters);
    try {
      if (kubeconfig != null) {
        clusters.add(open("--worker-kubeconfig", kubeconfig, context, timers));
        opened.add(MirrorWorker.only(clusters.getFirst()));
      }
      for (NamedCluster worker : workers) {
        String flag = "--worker " + worker.name() + "=";
        clusters.add(open(flag, worker.kubeconfig(), worker.context(), timers));
        opened.add(
            new MirrorWorker(
                worker.name(), clusters.getLast(), byName.getOrDefault(worker.name(), _ -> true)));
      }
      return clients;
    } catch (UserException fault) {
      clients.close();
      throw fault;
    }
  }

  private static KubeCluster open(String flag, Path file, @Nullable String context, Timers timers) {
    // Kubernetes refuses unknown fields in JSON only.
    return ClusterConnections.open(flag, file, context, ContentType.JSON, timers);
  }

  /** Returns the selectors of workers. */
  private Map<String, Predicate<Map<String, String>>> check() {
    if (kubeconfig == null && workers.isEmpty()) {
      throw new UserException(
          "missing --worker-kubeconfig=FILE, or --worker NAME=FILE for each of several workers");
    }
    if ((kubeconfig != null || context != null) && !workers.isEmpty()) {
      throw new UserException(
          "--worker and %s cannot be combined; name each worker with --worker NAME=FILE[:CONTEXT]"
              .formatted(kubeconfig != null ? "--worker-kubeconfig" : "--worker-context"));
    }
    if (!lostAfter.isPositive()) {
      throw new UserException("--worker-lost-after must be positive");
    }
    Set<String> names = distinct("--worker", workers.stream().map(NamedCluster::name).toList());
    Set<String> selected =
        distinct("--worker-selector", selectors.stream().map(NamedSelector::name).toList());
    selected.removeAll(names);
    if (!selected.isEmpty()) {
      String name = selected.iterator().next();
      throw new UserException(
          "--worker-selector %s=: there is no --worker %s=FILE".formatted(name, name));
    }
    return selectors.stream().collect(Collectors.toMap(NamedSelector::name, each -> each));
  }

  private static Set<String> distinct(String flag, List<String> names) {
    Set<String> distinct = new LinkedHashSet<>();
    for (String name : names) {
      if (!distinct.add(name)) {
        throw new UserException(
            "%s %s= is given twice; each worker has one name and one flag".formatted(flag, name));
      }
    }
    return distinct;
  }
}
