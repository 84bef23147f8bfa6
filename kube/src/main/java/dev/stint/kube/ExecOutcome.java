package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the {@code Status} with which a command in a container ends. */
final class ExecOutcome {
  private static final int LARGEST_CODE = 255;

  private ExecOutcome() {}

  /**
   * Returns the exit code of a command that ran.
   *
   * @throws ClusterException if it did not run
   */
  static int exitCode(byte[] outcome) {
    ObjectNode status = parse(outcome);
    if (status == null) {
      throw new ClusterException(
          Reason.INTERNAL, "the outcome of the command is no Status: " + text(outcome));
    }
    if ("Success".equals(Json.text(status, "status"))) {
      return 0;
    }
    Integer code = "NonZeroExitCode".equals(Json.text(status, "reason")) ? codeIn(status) : null;
    if (code == null) {
      ClusterException failure = StatusReader.of(status);
      throw new ClusterException(failure.reason(), String.valueOf(failure.getMessage()));
    }
    return code;
  }

  private static @Nullable Integer codeIn(ObjectNode status) {
    for (JsonNode cause : status.path("details").path("causes")) {
      String code = Json.text(cause, "message");
      if ("ExitCode".equals(Json.text(cause, "reason")) && code != null) {
        return number(code);
      }
    }
    return null;
  }

  private static @Nullable Integer number(String text) {
    try {
      int code = Integer.parseInt(text);
      return code > 0 && code <= LARGEST_CODE ? code : null;
    } catch (NumberFormatException malformed) {
      return null;
    }
  }

  private static @Nullable ObjectNode parse(byte[] outcome) {
    try {
      return Json.parse(outcome);
    } catch (JacksonException | ClassCastException notAnObject) {
      return null;
    }
  }

  private static String text(byte[] outcome) {
    String line = new String(outcome, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    return line.length() <= 200 ? line : line.substring(0, 200);
  }
}
