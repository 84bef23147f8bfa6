package dev.stint.cli.submit;

import dev.stint.cli.list.ListJob;
import dev.stint.cli.list.RequestedList;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.document.Document;
import dev.stint.model.document.StoredForm;
import dev.stint.model.job.after.After;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Job that {@code run} was given.
 *
 * @param document its place in a file, for messages
 * @param tree the document, with its namespace
 * @param companions the documents of the objects that belong to the Job and go with it
 * @param digest equal for equal documents, however their members are ordered
 * @param list the list that it was made from; null if it is from a file
 * @param left the members of the specification on which an unfinished Job decides
 * @param inputs the digest of the config maps and secrets from the same files that its pods name;
 *     null if there are none
 */
public record RequestedJob(
    Document document,
    ObjectNode tree,
    String digest,
    List<ObjectNode> companions,
    @Nullable RequestedList list,
    Set<String> left,
    @Nullable String inputs) {
  private static final String SUSPEND = "suspend";

  public static RequestedJob of(Document document) {
    return of(document, List.of(), null);
  }

  public static RequestedJob of(Document document, ListJob made) {
    return of(document, made.lists(), made.list());
  }

  private static RequestedJob of(
      Document document, List<ObjectNode> companions, @Nullable RequestedList list) {
    ObjectNode tree = document.object().copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    if (!metadata.has("namespace")) {
      metadata.put("namespace", "default");
    }
    Set<String> left = new HashSet<>(list == null ? Set.of() : list.left());
    if (After.of(document.object()) != null) {
      left.add(SUSPEND);
    }
    return new RequestedJob(
        document,
        tree,
        DocumentDigest.of(StoredForm.of(tree)),
        companions,
        list,
        Set.copyOf(left),
        null);
  }

  /**
   * Returns the Job as a cluster gets it: whether an unfinished one is suspended is up to others,
   * such as a queue.
   *
   * @param namespace that of a document that names none
   * @param managedBy the controller of a document that names none; null for the built-in one
   */
  public RequestedJob onCluster(String namespace, @Nullable String managedBy) {
    ObjectNode copy = tree.deepCopy();
    if (list != null || Json.text(document.object().metadata(), "namespace") == null) {
      copy.withObjectProperty("metadata").put("namespace", namespace);
    }
    ObjectNode spec = copy.withObjectProperty("spec");
    if (managedBy != null && !spec.has("managedBy")) {
      spec.put("managedBy", managedBy);
    }
    Set<String> more = new HashSet<>(left);
    more.add(SUSPEND);
    return new RequestedJob(
        document,
        copy,
        DocumentDigest.of(StoredForm.of(copy)),
        companions,
        list,
        Set.copyOf(more),
        inputs);
  }

  RequestedJob withInputs(String digest) {
    return new RequestedJob(document, tree, this.digest, companions, list, left, digest);
  }

  /** True if a document is that of a Job. */
  public static boolean isJob(Document document) {
    return document.object().kindName().equals(Kind.JOB.kind());
  }

  /** Returns the documents of the objects that belong to the Job, in its namespace. */
  public Stream<ObjectNode> companionDocuments() {
    return companions.stream()
        .map(document -> {
          ObjectNode copy = document.deepCopy();
          copy.withObjectProperty("metadata").put("namespace", namespace());
          return copy;
        });
  }

  /** True if others decide whether an unfinished Job is suspended. */
  boolean leavesSuspension() {
    return left.contains(SUSPEND);
  }

  public String namespace() {
    return String.valueOf(Json.text(tree.get("metadata"), "namespace"));
  }

  public String name() {
    String name = Json.text(tree.get("metadata"), "name");
    return name == null ? "" : name;
  }

  /** Returns the controller that the Job is left to; the built-in one if it names none. */
  public String managedBy() {
    String managedBy = Json.text(tree.get("spec"), "managedBy");
    return managedBy == null ? Names.BUILT_IN_CONTROLLER : managedBy;
  }

  /** True if the Job's pod failure policy has a rule about disruptions. */
  public boolean decidesOnDisruptions() {
    return tree.at("/spec/podFailurePolicy/rules")
        .valueStream()
        .flatMap(rule -> rule.path("onPodConditions").valueStream())
        .anyMatch(condition -> Names.DISRUPTION_TARGET.equals(Json.text(condition, "type")));
  }

  /** Returns the Job to create: the document, with its digests as annotations. */
  public KubeObject toCreate() {
    ObjectNode copy = tree.deepCopy();
    ObjectNode annotations = copy.withObjectProperty("metadata").withObjectProperty("annotations");
    annotations.put(RunAnnotations.DOCUMENT, digest);
    if (inputs != null) {
      annotations.put(RunAnnotations.INPUTS, inputs);
    }
    return KubeObject.of(copy);
  }

  /** Returns the Jobs that it starts after; null if there are none. */
  public @Nullable After after() {
    return After.of(KubeObject.of(tree));
  }

  /** Returns the Job's place in its file. */
  public String source() {
    return document.sourceName() + ":" + document.line();
  }
}
