package dev.stint.cli.simulate;

import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.after.After;
import dev.stint.model.job.options.JobOptions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stored Job as one to simulate again: with its policies, its resources and the options of its
 * annotations. Since the outcomes of its attempts are drawn, it needs no environment, no volumes
 * and no accounts.
 */
final class RepeatedJob {
  private static final Set<String> OF_POD =
      Set.of(
          "restartPolicy", "activeDeadlineSeconds", "terminationGracePeriodSeconds", "resources");
  private static final Set<String> OF_CONTAINER =
      Set.of("name", "image", "restartPolicy", "restartPolicyRules");
  private static final Set<String> OF_RESOURCES = Set.of("requests", "limits");
  private static final List<String> LEFT_OUT =
      List.of("selector", "manualSelector", "suspend", "managedBy", "ttlSecondsAfterFinished");

  private RepeatedJob() {}

  static RequestedJob of(KubeObject job) {
    ObjectNode tree =
        Json.object().put("apiVersion", Kind.JOB.apiVersion()).put("kind", Kind.JOB.kind());
    ObjectNode metadata =
        tree.putObject("metadata").put("name", job.name()).put("namespace", job.namespace());
    boolean hasOptions = !JobOptions.inForce(job).equals(JobOptions.NONE);
    JobOptions.NAMES.stream()
        .filter(name -> hasOptions && !name.equals(After.ANNOTATION))
        .filter(name -> job.annotation(name) != null)
        .forEach(
            name -> metadata.withObjectProperty("annotations").put(name, job.annotation(name)));
    tree.set("spec", spec(job));
    try {
      return RequestedJob.of(Documents.read(job.name(), Json.bytes(tree)).getFirst());
    } catch (DocumentSyntaxException impossible) {
      throw new IllegalStateException("a Job could not be read again", impossible);
    }
  }

  private static ObjectNode spec(KubeObject job) {
    ObjectNode spec = Json.copyOf(job.spec());
    spec.remove(LEFT_OUT);
    JsonNode pod = spec.at("/template/spec");
    ObjectNode kept = picked(pod, OF_POD);
    containers("containers", pod, kept);
    containers("initContainers", pod, kept);
    ObjectNode template = Json.object();
    template.set("spec", kept);
    spec.set("template", template);
    return spec;
  }

  private static void containers(String member, JsonNode pod, ObjectNode kept) {
    if (pod.has(member)) {
      pod.get(member).forEach(each -> kept.withArrayProperty(member).add(container(each)));
    }
  }

  private static ObjectNode container(JsonNode container) {
    ObjectNode kept = picked(container, OF_CONTAINER);
    ObjectNode resources = picked(container.path("resources"), OF_RESOURCES);
    if (!resources.isEmpty()) {
      kept.set("resources", resources);
    }
    return kept;
  }

  private static ObjectNode picked(JsonNode from, Set<String> members) {
    ObjectNode kept = Json.object();
    from.properties().stream()
        .filter(member -> members.contains(member.getKey()))
        .forEach(member -> kept.set(member.getKey(), member.getValue().deepCopy()));
    return kept;
  }

  /** True if a pod asks for more than processors, memory and disk, such as a GPU. */
  static boolean hasDevices(KubeObject job) {
    JsonNode pod = Json.copyOf(job.spec()).at("/template/spec");
    return Stream.of("containers", "initContainers")
        .flatMap(member -> pod.path(member).valueStream())
        .flatMap(container -> container.path("resources").valueStream())
        .flatMap(amounts -> amounts.propertyNames().stream())
        .anyMatch(name -> name.contains("/"));
  }

  /** Returns the number of pods that a Job needs if none fails. */
  static int pods(KubeObject job) {
    JobSpec spec = JobSpec.read(Json.copyOf(job.spec()));
    @Nullable Integer completions = spec.completions();
    return completions == null ? spec.parallelism() : completions;
  }
}
