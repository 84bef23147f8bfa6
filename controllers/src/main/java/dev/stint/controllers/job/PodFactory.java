package dev.stint.controllers.job;

import dev.stint.engine.PodPlan;
import dev.stint.engine.pod.ContainerMemory;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobSpec;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the pods of one Job from its template. */
final class PodFactory {
  /** Kubernetes' limit for prefixes: with five more characters, names stay DNS labels. */
  private static final int LONGEST_PREFIX = 58;

  /**
   * The metadata that a pod takes from its template, as in Kubernetes. Of others, such as a
   * resource version, an API refuses some in a new pod.
   */
  private static final Set<String> OF_TEMPLATE = Set.of("labels", "annotations", "finalizers");

  private final String jobName;
  private final ObjectNode prototype;

  /** The template's finalizers, and the one for tracking. */
  private final ArrayNode finalizers;

  PodFactory(KubeObject job, JobSpec spec) {
    this.jobName = job.name();
    this.prototype = prototype(job, spec.template(), spec.isIndexed());
    ArrayNode given = Json.arrayAt(prototype.get("metadata"), "finalizers");
    this.finalizers = given == null ? Json.array() : given.deepCopy();
    finalizers.add(Names.TRACKING_FINALIZER);
  }

  /** Returns what all pods have. It shares with the template what is the same. */
  private static ObjectNode prototype(KubeObject job, ObjectNode template, boolean indexed) {
    ObjectNode pod = Json.object();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = Json.copyOf(Json.objectAt(template, "metadata"));
    metadata.retain(OF_TEMPLATE);
    metadata.put("namespace", job.namespace());
    metadata.putArray("ownerReferences").add(ownerReference(job));
    pod.set("metadata", metadata);
    if (indexed) {
      pod.set("spec", template.path("spec").deepCopy());
      addIndexToEnvironment(pod.withObjectProperty("spec"));
    } else {
      pod.set("spec", template.path("spec"));
    }
    return pod;
  }

  /**
   * Creates a pod that holds the tracking finalizer from the start (KEP-2307, Proposal). It shares
   * all equal parts with the Job's other pods.
   *
   * @param name the pod's name
   */
  KubeObject create(PodPlan plan, String name) {
    ObjectNode pod = Json.copyOf(prototype);
    ObjectNode metadata = own(pod, "metadata");
    boolean indexed = plan.index() != PodView.NO_INDEX;
    metadata.put("generateName", prefix(plan));
    metadata.put("name", name);
    if (plan.tracked()) {
      metadata.set("finalizers", finalizers);
    }
    if (!plan.memory().isEmpty()) {
      raiseMemory(pod, metadata, plan.memory());
    }
    if (!indexed) {
      return KubeObject.of(pod);
    }
    String index = Integer.toString(plan.index());
    own(metadata, "labels").put(Names.COMPLETION_INDEX, index);
    ObjectNode annotations = own(metadata, "annotations");
    annotations.put(Names.COMPLETION_INDEX, index);
    if (plan.failureCount() != PodPlan.NOT_COUNTED) {
      annotations.put(Names.INDEX_FAILURE_COUNT, Integer.toString(plan.failureCount()));
    }
    if (plan.ignoredFailureCount() > 0) {
      annotations.put(
          Names.INDEX_IGNORED_FAILURE_COUNT, Integer.toString(plan.ignoredFailureCount()));
    }
    if (!prototype.path("spec").has("hostname")) {
      own(pod, "spec").put("hostname", jobName + "-" + index);
    }
    return KubeObject.of(pod);
  }

  private static void raiseMemory(
      ObjectNode pod, ObjectNode metadata, List<ContainerMemory> memory) {
    String raised = RaisedMemory.apply(own(pod, "spec"), memory);
    if (!raised.isEmpty()) {
      own(metadata, "annotations").put(Names.RAISED_MEMORY, raised);
    }
  }

  /**
   * Returns a member that this pod does not share with the others, though its values may be shared.
   */
  private static ObjectNode own(ObjectNode parent, String member) {
    ObjectNode own = Json.copyOf(Json.objectAt(parent, member));
    parent.set(member, own);
    return own;
  }

  private static void addIndexToEnvironment(ObjectNode spec) {
    for (String list : List.of("initContainers", "containers")) {
      JsonNode containers = Json.arrayAt(spec, list);
      if (containers != null) {
        containers.forEach(container -> addIndex((ObjectNode) container));
      }
    }
  }

  private static void addIndex(ObjectNode container) {
    ArrayNode env =
        container.get("env") instanceof ArrayNode given ? given : container.putArray("env");
    for (JsonNode variable : env) {
      if (Names.COMPLETION_INDEX_ENV.equals(Json.text(variable, "name"))) {
        return;
      }
    }
    ObjectNode variable = env.addObject().put("name", Names.COMPLETION_INDEX_ENV);
    variable
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("apiVersion", "v1")
        .put("fieldPath", "metadata.labels['" + Names.COMPLETION_INDEX + "']");
  }

  /** Returns the prefix of the pod's name: the Job's name, cut to leave room for the suffix. */
  String prefix(PodPlan plan) {
    String end = plan.index() == PodView.NO_INDEX ? "-" : "-" + plan.index() + "-";
    int room = LONGEST_PREFIX - end.length();
    return jobName.substring(0, Math.min(jobName.length(), room)) + end;
  }

  /** Returns the owner reference that makes a pod the Job's. */
  static ObjectNode ownerReference(KubeObject job) {
    return Json.object()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", job.name())
        .put("uid", job.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }
}
