package dev.stint.cli.validate;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import java.util.ArrayList;
import java.util.List;

/** The refusals of Stint's API server and of that of a cluster when an object is created. */
final class ServerRefusals {
  /** 1.5 MiB, the limit of a cluster's store. */
  private static final int MOST_BYTES = 3 << 19;

  private ServerRefusals() {}

  static List<String> of(Document document) {
    KubeObject object = document.object();
    List<String> refusals = new ArrayList<>();
    int bytes = Json.bytes(object.tree()).length;
    if (bytes > MOST_BYTES) {
      refusals.add(
          "%s:%d: takes %d bytes; an API server stores at most %d in one object"
              .formatted(document.sourceName(), document.line(), bytes, MOST_BYTES));
    }
    return refusals;
  }
}
