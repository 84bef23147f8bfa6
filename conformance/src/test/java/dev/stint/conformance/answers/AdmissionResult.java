package dev.stint.conformance.answers;

import dev.stint.model.Json;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The outcome of a request: accepted, or why not. Messages are not compared.
 *
 * @param reason the reason of a refusal; null for none
 * @param causes the field and the reason of each cause of a refusal
 */
record AdmissionResult(int code, @Nullable String reason, Set<String> causes) {
  private static final int SERVER_FAULT = 500;

  boolean accepted() {
    return code >= 200 && code < 300;
  }

  /** True if both agree. Any refusal agrees with an internal error of the recorded server. */
  boolean agreesWith(AdmissionResult other) {
    return equals(other)
        || (code == 0 || code == SERVER_FAULT) && (other.code == 400 || other.code == 422);
  }

  static AdmissionResult recorded(ObjectNode answer) {
    int code = answer.get("code").intValue();
    Set<String> causes = new TreeSet<>();
    for (JsonNode cause :
        Objects.requireNonNullElse(Json.arrayAt(answer, "causes"), Json.array())) {
      causes.add(cause.get(0).stringValue() + " " + cause.get(1).stringValue());
    }
    return of(code, Json.text(answer, "reason"), causes);
  }

  static AdmissionResult of(InProcessApi.Answered answered) {
    ObjectNode status = answered.tree();
    Set<String> causes = new TreeSet<>();
    ObjectNode details = status == null ? null : Json.objectAt(status, "details");
    for (JsonNode cause :
        Objects.requireNonNullElse(Json.arrayAt(details, "causes"), Json.array())) {
      causes.add(cause.path("field").asString("") + " " + cause.path("reason").asString(""));
    }
    return of(answered.code(), status == null ? null : Json.text(status, "reason"), causes);
  }

  private static AdmissionResult of(int code, @Nullable String reason, Set<String> causes) {
    return code >= 200 && code < 300
        ? new AdmissionResult(code, null, Set.of())
        : new AdmissionResult(code, reason, causes);
  }
}
