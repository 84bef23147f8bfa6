package dev.stint.apiserver.table;

import dev.stint.model.*;
import java.util.*;
import tools.jackson.databind.node.ObjectNode;

public final class PartialMetadata {
  public static ObjectNode of(KubeObject l) {
    return Json.object();
  }

  public static ObjectNode list(List<KubeObject> l, ObjectNode m) {
    return Json.object();
  }
}
