package dev.stint.testkit.document;

import dev.stint.apiserver.ApiServer;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decodes documents of all kinds that an API serves, custom ones too, as strictly as {@code kubectl
 * apply}: an unknown field is a fault.
 */
public record ServedDocuments(ApiServer api) {
  /**
   * Returns these documents as objects of their kinds.
   *
   * @param written as {@link dev.stint.model.document.Documents#read} returns them
   * @throws IllegalArgumentException if they have faults; the message lists all of them
   */
  public List<Document> decode(List<Document> written) {
    List<Document> decoded = written.stream().map(this::decode).toList();
    String faults =
        decoded.stream()
            .flatMap(document -> document.faults().stream().map(document::describe))
            .collect(Collectors.joining("\n"));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(faults);
    }
    return decoded;
  }

  private Document decode(Document written) {
    KubeObject object = written.object();
    if (isDecoded(object)) {
      return written;
    }
    FieldErrors faults = new FieldErrors();
    faults.addAll(written.faults().stream().filter(fault -> !isUnknownKind(fault)).toList());
    return new Document(
        written.sourceName(),
        written.line(),
        KubeObject.of(decode(object, faults)),
        faults.list(),
        written.lines());
  }

  /** True if reading the document has decoded it already, or has found why it cannot be. */
  private static boolean isDecoded(KubeObject object) {
    return object.apiVersion().isEmpty()
        || object.kindName().isEmpty()
        || Kind.all().stream().anyMatch(known -> known.kind().equals(object.kindName()));
  }

  private static boolean isUnknownKind(FieldError fault) {
    return fault.path().equals("kind") && fault.type() == FieldError.Type.NOT_FOUND;
  }

  private ObjectNode decode(KubeObject object, FieldErrors faults) {
    return api.decode(object, faults)
        .orElseGet(() -> {
          faults.notFound(
              "kind",
              "%s %s is not served; apply its CustomResourceDefinition first"
                  .formatted(object.apiVersion(), object.kindName()));
          return object.copy();
        });
  }
}
