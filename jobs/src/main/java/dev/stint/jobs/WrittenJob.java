package dev.stint.jobs;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.after.AfterProgress;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stored Job as its author wrote it: without what the API and the controllers add to it, so that
 * it can be created again.
 */
public final class WrittenJob {
  private static final Set<String> OWN_LABELS =
      Set.of(
          Names.CONTROLLER_UID, Names.JOB_NAME, Names.LEGACY_CONTROLLER_UID, Names.LEGACY_JOB_NAME);

  private static final Set<String> OWN_ANNOTATIONS =
      Stream.of(
              DeadlineCancellation.ANNOTATIONS,
              AfterProgress.ANNOTATIONS,
              List.of(
                  RunAnnotations.DOCUMENT,
                  RunAnnotations.INPUTS,
                  RunAnnotations.REPORTED,
                  RerunOrigin.OF,
                  RerunOrigin.UID,
                  RerunOrigin.INDEXES,
                  "kubectl.kubernetes.io/last-applied-configuration",
                  Names.TRACKING_FINALIZER))
          .flatMap(Collection::stream)
          .collect(Collectors.toUnmodifiableSet());

  private WrittenJob() {}

  /**
   * True if a document is a stored Job, as {@code kubectl get -o yaml} prints it, and its selector
   * is that of the API: a Job of such a document could never be created.
   */
  public static boolean isStored(KubeObject job) {
    JsonNode labels = Json.copyOf(job.spec()).at("/selector/matchLabels");
    return job.kindName().equals(Kind.JOB.kind())
        && !job.uid().isEmpty()
        && (job.uid().equals(Json.text(labels, Names.CONTROLLER_UID))
            || job.uid().equals(Json.text(labels, Names.LEGACY_CONTROLLER_UID)));
  }

  /** Returns the document of a stored Job, with its name. */
  public static ObjectNode of(KubeObject job) {
    ObjectNode document = Json.object();
    document.put("apiVersion", Kind.JOB.apiVersion()).put("kind", Kind.JOB.kind());
    ObjectNode metadata = document.putObject("metadata");
    metadata.put("name", job.name());
    if (!job.namespace().isEmpty()) {
      metadata.put("namespace", job.namespace());
    }
    ObjectNode labels = Json.object();
    job.labels().forEach(labels::put);
    setRest(metadata, "labels", labels, OWN_LABELS);
    ObjectNode annotations = Json.object();
    job.annotations().forEach(annotations::put);
    setRest(metadata, "annotations", annotations, OWN_ANNOTATIONS);
    document.set("spec", spec(job));
    return document;
  }

  private static void setRest(
      ObjectNode metadata, String member, ObjectNode values, Set<String> own) {
    values.remove(own);
    if (!values.isEmpty()) {
      metadata.set(member, values);
    }
  }

  /** Returns the specification without the selector and the labels that follow from the uid. */
  private static ObjectNode spec(KubeObject job) {
    ObjectNode spec = Json.copyOf(job.spec()).deepCopy();
    spec.remove(List.of("selector", "manualSelector"));
    DeadlineCancellation.undo(job, spec);
    ObjectNode metadata = Json.objectAt(Json.objectAt(spec, "template"), "metadata");
    ObjectNode labels = Json.objectAt(metadata, "labels");
    if (labels != null) {
      labels.remove(OWN_LABELS);
    }
    if (metadata != null) {
      metadata.remove("creationTimestamp");
    }
    return spec;
  }
}
