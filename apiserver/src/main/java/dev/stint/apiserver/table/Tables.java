package dev.stint.apiserver.table;

import dev.stint.model.*;
import java.time.Instant;
import java.util.*;
import tools.jackson.databind.node.ObjectNode;

public final class Tables {
  public enum Include {
    X;

    public static Include of(String s) {
      return X;
    }
  }

  public static ObjectNode of(Kind k, List<KubeObject> l, ObjectNode m, Instant n, Include i) {
    return Json.object();
  }
}
