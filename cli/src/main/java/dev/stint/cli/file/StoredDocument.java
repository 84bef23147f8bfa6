package dev.stint.cli.file;

import dev.stint.cli.output.Console;
import dev.stint.jobs.WrittenJob;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The document of a stored object, as {@code kubectl get -o yaml} prints it. No API would create an
 * object of it.
 */
final class StoredDocument {
  private static final Set<Kind> INPUTS = Set.of(Kind.CONFIG_MAP, Kind.SECRET);

  private static final List<String> SET_BY_THE_API =
      List.of(
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "generation",
          "managedFields",
          "finalizers",
          "ownerReferences");

  private StoredDocument() {}

  /** Returns the document as its author wrote it, and says what is left out. */
  static Document written(Document read, Console console) {
    ObjectNode written = read.faults().isEmpty() ? written(read.object()) : null;
    if (written == null) {
      return read;
    }
    String left =
        isInput(read.object())
            ? "its uid and resourceVersion are left out"
            : "its uid, status, selector and generated labels are left out";
    console.say(
        "%s:%d: a stored %s; %s"
            .formatted(read.sourceName(), read.line(), read.object().kindName(), left));
    return new Document(
        read.sourceName(), read.line(), KubeObject.of(written), List.of(), read.lines());
  }

  private static @Nullable ObjectNode written(KubeObject object) {
    if (WrittenJob.isStored(object)) {
      return WrittenJob.of(object);
    }
    if (object.uid().isEmpty() || !isInput(object)) {
      return null;
    }
    ObjectNode copy = object.copy();
    copy.withObjectProperty("metadata").remove(SET_BY_THE_API);
    return copy;
  }

  private static boolean isInput(KubeObject object) {
    return Kind.of(object.apiVersion(), object.kindName()).filter(INPUTS::contains).isPresent();
  }
}
