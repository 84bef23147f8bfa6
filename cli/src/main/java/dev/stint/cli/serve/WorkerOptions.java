package dev.stint.cli.serve;

import dev.stint.cli.flag.NamedCluster;
import dev.stint.cli.flag.NamedClusterConverter;
import dev.stint.cli.flag.NamedSelector;
import dev.stint.cli.flag.NamedSelectorConverter;
import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Timers;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.controllers.mirror.WorkerChoice;
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
  private static final Duration USUAL_LOST_AFTER = AssignmentOptions.DEFAULT.lostAfter();

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
              + "A Job goes to one that answers and takes its labels.")
  List<NamedCluster> workers = List.of();

  @Option(
      names = "--worker-selector",
      paramLabel = "NAME=SELECTOR",
      converter = NamedSelectorConverter.class,
      description =
          "Labels of the Jobs that this worker takes, as in kubectl -l, such as "
              + "east=team=red,tier!=batch or \"east=team in (red,blue)\"; may be repeated for other "
              + "workers (default: it takes all Jobs).")
  List<NamedSelector> selectors = List.of();

  /** The values of {@code --worker-choice}. */
  enum Choice {
    /** The first one of the command line. */
    first(WorkerChoice.IN_ORDER),
    /** The one with room for the most pods. */
    freest(WorkerChoice.MOST_FREE);

    private final WorkerChoice choice;

    Choice(WorkerChoice choice) {
      this.choice = choice;
    }
  }

  @Option(
      names = "--worker-choice",
      paramLabel = "first|freest",
      defaultValue = "first",
      description =
          "Which of several workers takes a Job: the first one, or the one with room for the most "
              + "pods (default: ${DEFAULT-VALUE}).")
  Choice choice = Choice.first;

  @Option(
      names = "--worker-pods",
      paramLabel = "NAME=N",
      description =
          "Number of pods that this worker has room for, with --worker-choice freest; may be "
              + "repeated for other workers (default: all have the same room).")
  Map<String, Integer> pods = Map.of();

  @Option(
      names = "--worker-lost-after",
      paramLabel = "DURATION",
      defaultValue = "15m",
      description =
          "Time for which one of several workers may be unreachable before its Jobs start anew "
              + "on others (default: ${DEFAULT-VALUE}).")
  Duration lostAfter = USUAL_LOST_AFTER;

  /** Returns how Jobs are assigned to the workers. */
  AssignmentOptions assignment() {
    return new AssignmentOptions(choice.choice, lostAfter);
  }

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
        String flag = "--worker " + worker.name() + ":";
        clusters.add(open(flag, worker.kubeconfig(), worker.context(), timers));
        opened.add(
            new MirrorWorker(
                worker.name(),
                clusters.getLast(),
                byName.getOrDefault(worker.name(), _ -> true),
                pods.getOrDefault(worker.name(), 0)));
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
    if (kubeconfig != null && (choice != Choice.first || !lostAfter.equals(USUAL_LOST_AFTER))) {
      throw new UserException(
          "%s has no effect with one worker; name several with --worker NAME=FILE"
              .formatted(choice != Choice.first ? "--worker-choice" : "--worker-lost-after"));
    }
    Set<String> names = distinct("--worker", workers.stream().map(NamedCluster::name).toList());
    checkKnown(
        "--worker-selector",
        distinct("--worker-selector", selectors.stream().map(NamedSelector::name).toList()),
        names);
    checkKnown("--worker-pods", pods.keySet(), names);
    checkPods(names);
    return selectors.stream()
        .collect(Collectors.toMap(NamedSelector::name, NamedSelector::selector));
  }

  private static void checkKnown(String flag, Set<String> used, Set<String> names) {
    for (String name : used) {
      if (!names.contains(name)) {
        throw new UserException("%s %s=: there is no --worker %s=FILE".formatted(flag, name, name));
      }
    }
  }

  private void checkPods(Set<String> names) {
    if (pods.isEmpty()) {
      return;
    }
    if (choice != Choice.freest) {
      throw new UserException("--worker-pods has no effect without --worker-choice freest");
    }
    for (String name : names) {
      if (pods.getOrDefault(name, 0) < 1) {
        throw new UserException(
            "--worker-pods %s=N is missing or below 1; give it for all workers or for none"
                .formatted(name));
      }
    }
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
