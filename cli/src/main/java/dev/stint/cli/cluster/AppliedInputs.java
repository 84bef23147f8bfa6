package dev.stint.cli.cluster;

import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.jobs.ApiCalls;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Applies the objects of the files that Jobs use, beside what other managers have set. */
final class AppliedInputs {
  private static final String MANAGER = "stint";

  private final KubeCluster cluster;
  private final String namespace;

  /**
   * @param namespace that of documents that name none
   */
  AppliedInputs(KubeCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  /**
   * Applies all documents.
   *
   * @throws UserException with the faults of the first that is refused
   */
  void apply(List<Document> documents) {
    for (Document document : documents) {
      try {
        apply(document);
      } catch (ClusterException refused) {
        throw refusal(document, refused);
      }
    }
  }

  private void apply(Document document) {
    ObjectNode tree = document.object().copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    if (Json.text(metadata, "namespace") == null) {
      metadata.put("namespace", namespace);
    }
    KubeObject object = KubeObject.of(tree);
    String kind = object.kindName();
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    ObjectRef ref =
        new ObjectRef(new Kind("", "v1", kind, plural, true), object.namespace(), object.name());
    ApiCalls.await(cluster.apply(ref, tree, MANAGER));
  }

  private static UserException refusal(Document document, ClusterException refused) {
    return refused.reason() == Reason.CONFLICT
        ? new UserException(
            "%s:%d: %s; remove what others have set, or apply it with kubectl"
                .formatted(
                    document.sourceName(),
                    document.line(),
                    String.valueOf(refused.getMessage()).replaceAll("\\s+", " ")))
        : JobSubmission.refusal(document, refused);
  }
}
