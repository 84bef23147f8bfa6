package dev.stint.cli.simulate;

import dev.stint.cli.simulate.outcome.KeptAttempts;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodRequests;
import dev.stint.runner.spec.ResourceAmount;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Jobs that are created at once, in their order.
 *
 * @param jobs valid and not suspended; at least one
 * @param inputs the config maps and secrets that their pods use
 */
record Workload(List<RequestedJob> jobs, List<ObjectNode> inputs) {
  Workload {
    jobs = List.copyOf(jobs);
    inputs = List.copyOf(inputs);
  }

  /** Returns the same inputs with other Jobs. */
  Workload with(List<RequestedJob> others) {
    return new Workload(others, inputs);
  }

  /** Returns the name of a Job for people. */
  static String name(RequestedJob job) {
    return job.namespace() + "/" + (job.name().isEmpty() ? "without a name" : job.name());
  }

  Set<String> names() {
    return jobs.stream().map(RequestedJob::name).collect(Collectors.toSet());
  }

  /** Returns the names of the main containers of all pods. */
  Set<String> mainContainers() {
    return jobs.stream()
        .flatMap(job -> KeptAttempts.mainContainers(job.tree()).stream())
        .collect(Collectors.toSet());
  }

  /** Returns the resources that a pod of a Job requests. */
  static ResourceAmount requests(RequestedJob job) {
    return PodRequests.of(pod(job)).amount();
  }

  /** Returns why no pod of a Job fits such a machine; null if one fits. */
  static @Nullable String obstacle(RequestedJob job, ResourceAmount machine) {
    String obstacle = PodRequests.of(pod(job)).obstacle(machine);
    return obstacle == null ? null : obstacle.replaceFirst("^0/1 nodes are available: ", "");
  }

  private static KubeObject pod(RequestedJob job) {
    return KubeObject.of((ObjectNode) job.tree().at("/spec/template").deepCopy());
  }
}
