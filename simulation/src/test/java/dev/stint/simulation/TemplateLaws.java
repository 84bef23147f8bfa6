package dev.stint.simulation;

import static dev.stint.simulation.PodLaws.require;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The laws that a pod is what the template of its Job says, that it is the Job's, and that a pod of
 * an Indexed Job knows its index: by a label, an annotation, its host name and a variable of each
 * container.
 */
final class TemplateLaws {
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String VARIABLE = "JOB_COMPLETION_INDEX";
  private static final List<String> OF_CONTAINER =
      List.of("name", "image", "command", "args", "env", "volumeMounts");

  private TemplateLaws() {}

  static void created(History.Job job, KubeObject pod, PodView view) {
    JsonNode tree = pod.tree();
    require(
        job.possible.stream().anyMatch(spec -> isLike(spec.template(), tree)),
        view,
        "is not as its Job's template says");
    require(isOwned(job.object, tree.at("/metadata/ownerReferences")), view, "is not its Job's");
    String end = "-" + (job.spec.isIndexed() ? view.index() + "-" : "");
    require(
        pod.name().matches(Pattern.quote(job.object.name() + end) + "[a-z0-9]{5}"),
        view,
        "does not have the name of its Job");
    if (job.spec.isIndexed()) {
      String index = Integer.toString(view.index());
      require(isMarked(tree, index), view, "does not have its index in its metadata");
      String host = job.object.name() + "-" + index;
      require(tree.at("/spec/hostname").asString("").equals(host), view, "has another host name");
      require(
          containers(tree).stream().allMatch(TemplateLaws::knowsIndex),
          view,
          "has a container that does not know its index");
    }
  }

  /** True if the pod has what the template has; it may have more, such as defaults. */
  private static boolean isLike(JsonNode template, JsonNode pod) {
    List<JsonNode> wanted = containers(template);
    List<JsonNode> found = containers(pod);
    if (wanted.size() != found.size()
        || !contains(pod.path("metadata"), template.path("metadata"))) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      for (String member : OF_CONTAINER) {
        if (!contains(found.get(i).path(member), wanted.get(i).path(member))) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean contains(JsonNode found, JsonNode wanted) {
    if (wanted.isObject()) {
      return wanted.properties().stream()
          .allMatch(member -> contains(found.path(member.getKey()), member.getValue()));
    }
    if (!wanted.isArray()) {
      return wanted.isMissingNode() || wanted.equals(found);
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!contains(found.path(i), wanted.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static List<JsonNode> containers(JsonNode pod) {
    return List.of("initContainers", "containers").stream()
        .flatMap(list -> pod.path("spec").path(list).valueStream())
        .toList();
  }

  private static boolean isOwned(KubeObject job, JsonNode owners) {
    JsonNode owner = owners.path(0);
    return owners.size() == 1
        && owner.path("apiVersion").asString("").equals("batch/v1")
        && owner.path("kind").asString("").equals("Job")
        && owner.path("name").asString("").equals(job.name())
        && owner.path("uid").asString("").equals(job.uid())
        && owner.path("controller").asBoolean(false)
        && owner.path("blockOwnerDeletion").asBoolean(false);
  }

  private static boolean isMarked(JsonNode pod, String index) {
    JsonNode metadata = pod.path("metadata");
    return metadata.path("labels").path(INDEX).asString("").equals(index)
        && metadata.path("annotations").path(INDEX).asString("").equals(index);
  }

  private static boolean knowsIndex(JsonNode container) {
    List<JsonNode> variables =
        container
            .path("env")
            .valueStream()
            .filter(variable -> variable.path("name").asString("").equals(VARIABLE))
            .toList();
    return variables.size() == 1
        && variables
            .getFirst()
            .at("/valueFrom/fieldRef/fieldPath")
            .asString("")
            .equals("metadata.labels['" + INDEX + "']");
  }
}
