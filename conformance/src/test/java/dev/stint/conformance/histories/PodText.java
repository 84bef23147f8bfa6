package dev.stint.conformance.histories;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The normal form of pods: what a controller's decisions depend on, without names, uids and times.
 */
final class PodText {
  /** The finalizer of somebody else, in the templates of some Jobs. */
  static final String FOREIGN_FINALIZER = "example.com/hold";

  private PodText() {}

  /**
   * Returns a pod in short: its index, the first letter of its phase, and in order {@code +} if it
   * is ready, {@code d} if it is being deleted, {@code t} if it is tracked, {@code h} if somebody
   * else holds it, {@code o} if no controller owns it, its failure counts, its restarts.
   */
  static String of(KubeObject pod) {
    StringBuilder text = new StringBuilder();
    text.append(Objects.requireNonNullElse(pod.annotation(Names.COMPLETION_INDEX), "-"));
    text.append(Objects.requireNonNullElse(pod.statusText("phase"), "?").charAt(0));
    flag(text, '+', isReady(pod));
    flag(text, 'd', pod.deletionTimestamp() != null);
    flag(text, 't', pod.finalizers().contains(Names.TRACKING_FINALIZER));
    flag(text, 'h', pod.finalizers().contains(FOREIGN_FINALIZER));
    flag(text, 'o', pod.controllerUid() == null);
    count(text, " failures=", pod.annotation(Names.INDEX_FAILURE_COUNT));
    count(text, " ignored=", pod.annotation(Names.INDEX_IGNORED_FAILURE_COUNT));
    int restarts = restarts(pod);
    count(text, " restarts=", restarts == 0 ? null : String.valueOf(restarts));
    return text.toString();
  }

  private static void flag(StringBuilder text, char flag, boolean set) {
    if (set) {
      text.append(flag);
    }
  }

  private static void count(StringBuilder text, String name, @Nullable String value) {
    if (value != null) {
      text.append(name).append(value);
    }
  }

  private static boolean isReady(KubeObject pod) {
    ArrayNode conditions = Json.arrayAt(pod.status(), "conditions");
    return conditions != null
        && conditions
            .valueStream()
            .anyMatch(one ->
                "Ready".equals(Json.text(one, "type")) && "True".equals(Json.text(one, "status")));
  }

  private static int restarts(KubeObject pod) {
    ArrayNode containers = Json.arrayAt(pod.status(), "containerStatuses");
    return containers == null
        ? 0
        : containers
            .valueStream()
            .mapToInt(one -> Objects.requireNonNullElse(Json.integer(one, "restartCount"), 0))
            .sum();
  }

  /** Returns what the controller sets in a new pod: names, labels, annotations, the environment. */
  static String made(KubeObject pod, KubeObject job) {
    String index = pod.annotation(Names.COMPLETION_INDEX);
    String prefix = job.name() + "-" + (index == null ? "" : index + "-");
    return "name=%s labels=%s annotations=%s finalizers=%s owner=%s host=%s subdomain=%s env=%s"
        .formatted(
            pod.name().startsWith(prefix) ? (index == null ? "JOB-*" : "JOB-INDEX-*") : "other",
            values(pod.labels(), job, index),
            values(pod.annotations(), job, index),
            pod.finalizers(),
            owner(pod, job),
            value(String.valueOf(pod.specText("hostname")), job, index),
            pod.specText("subdomain"),
            environment(pod));
  }

  private static Map<String, String> values(
      Map<String, String> pairs, KubeObject job, @Nullable String index) {
    Map<String, String> sorted = new TreeMap<>();
    pairs.forEach((name, value) -> sorted.put(name, value(value, job, index)));
    sorted.remove(Names.INDEX_FAILURE_COUNT);
    sorted.remove(Names.INDEX_IGNORED_FAILURE_COUNT);
    return sorted;
  }

  private static String value(String value, KubeObject job, @Nullable String index) {
    String plain = value.replace(job.uid(), "UID").replace(job.name(), "JOB");
    return index == null ? plain : plain.replaceFirst("(^|-)" + index + "$", "$1INDEX");
  }

  private static String owner(KubeObject pod, KubeObject job) {
    ArrayNode owners = Json.arrayAt(pod.metadata(), "ownerReferences");
    return owners == null
        ? "none"
        : owners.toString().replace(job.uid(), "UID").replace(job.name(), "JOB");
  }

  private static String environment(KubeObject pod) {
    ArrayNode containers = Json.arrayAt(pod.spec(), "containers");
    return containers == null
        ? ""
        : containers
            .valueStream()
            .map(container -> String.valueOf(container.get("env")))
            .collect(Collectors.joining(","));
  }

  /** Returns the names of the containers. */
  static Iterable<String> containers(KubeObject pod) {
    ObjectNode spec = Objects.requireNonNull(pod.spec());
    return Objects.requireNonNull(Json.arrayAt(spec, "containers"))
        .valueStream()
        .map((JsonNode one) -> Objects.requireNonNull(Json.text(one, "name")))
        .toList();
  }
}
