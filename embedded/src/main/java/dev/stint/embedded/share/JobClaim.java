package dev.stint.embedded.share;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.runner.process.user.Surroundings;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/**
 * A command's claim of a Job: the process that holds the data directory works on it, as if the
 * command itself did.
 *
 * @param by the command, in words for others
 * @param decidesOnDisruptions true if the Job's own policy says what follows on a disruption
 * @param surroundings the surroundings of the command, which its pods inherit
 */
public record JobClaim(
    String namespace,
    String name,
    String by,
    boolean decidesOnDisruptions,
    Surroundings surroundings) {
  /** Returns the Job's reference. */
  public ObjectRef ref() {
    return new ObjectRef(Kind.JOB, namespace, name);
  }

  /** Returns the Job's namespace and name as one text. */
  public String key() {
    return key(namespace, name);
  }

  /** Returns the text for a Job. */
  public static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  /** Returns the text for the Job of a pod. */
  public static String keyOfPod(KubeObject pod) {
    return key(pod.namespace(), Objects.requireNonNullElse(pod.label(Names.JOB_NAME), ""));
  }

  /** Returns the claim without its surroundings, which all claims of a command share. */
  ObjectNode toJson() {
    return Json.object()
        .put("namespace", namespace)
        .put("name", name)
        .put("by", by)
        .put("decidesOnDisruptions", decidesOnDisruptions);
  }

  static JobClaim of(ObjectNode tree, Surroundings surroundings) {
    return new JobClaim(
        Wire.text(tree, "namespace"),
        Wire.text(tree, "name"),
        Wire.text(tree, "by"),
        tree.path("decidesOnDisruptions").asBoolean(),
        surroundings);
  }
}
