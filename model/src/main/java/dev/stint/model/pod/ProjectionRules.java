package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.List;

/** Rules of projected volumes. */
final class ProjectionRules {
  private static final int SHORTEST_TOKEN_SECONDS = 600;
  private static final List<String> SOURCES =
      List.of(
          "secret",
          "configMap",
          "downwardAPI",
          "serviceAccountToken",
          "clusterTrustBundle",
          "podCertificate");

  private ProjectionRules() {}

  static void check(At projected, Faults faults) {
    FileRules.mode(projected.get("defaultMode"), faults);
    for (At source : projected.get("sources").items()) {
      boolean found = false;
      for (String kind : SOURCES) {
        At one = source.get(kind);
        if (one.exists() && found) {
          faults.forbidden(one, "an item has one source only");
        } else if (one.exists()) {
          found = true;
          source(one, kind, faults);
        }
      }
      if (!found) {
        faults.required(source, "needs one of " + String.join(", ", SOURCES));
      }
    }
  }

  private static void source(At source, String kind, Faults faults) {
    switch (kind) {
      case "secret", "configMap" -> {
        if (source.get("name").isEmpty()) {
          faults.required(source.get("name"), "is needed");
        }
        FileRules.items(source.get("items"), faults);
      }
      case "downwardAPI" -> DownwardRules.files(source.get("items"), faults);
      case "serviceAccountToken" -> {
        At seconds = source.get("expirationSeconds");
        if (seconds.exists() && seconds.count() < SHORTEST_TOKEN_SECONDS) {
          faults.invalid(seconds, seconds.count() + " must be 600 or more");
        }
        FileRules.relativePath(source.get("path"), faults);
      }
      default -> {}
    }
  }
}
