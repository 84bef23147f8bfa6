package dev.stint.apiserver.conversion;

import dev.stint.model.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to convert objects (Kubernetes documentation, "Webhook request and response").
 *
 * @param version of the review: v1 or v1beta1
 * @param uid of the request, which the answer repeats
 * @param desired the {@code apiVersion} that objects shall have
 */
record ConversionReview(String version, String uid, String desired) {
  private static final String GROUP = "apiextensions.k8s.io";
  private static final int LONGEST_MESSAGE = 4096;
  private static final List<String> SUPPORTED = List.of("v1", "v1beta1");

  /** Returns the first version that a webhook prefers and this server knows. */
  static String version(List<String> preferred) {
    return preferred.stream().filter(SUPPORTED::contains).findFirst().orElse("v1");
  }

  /**
   * Returns the request.
   *
   * @param objects as JSON
   */
  byte[] request(List<byte[]> objects) {
    ObjectNode head = Json.object().put("kind", "ConversionReview");
    head.put("apiVersion", GROUP + "/" + version);
    head.putObject("request").put("uid", uid).put("desiredAPIVersion", desired).putArray("objects");
    byte[] whole = Json.bytes(head);
    ByteArrayOutputStream out = new ByteArrayOutputStream(whole.length + 1024);
    out.write(whole, 0, whole.length - "]}}".length());
    for (int i = 0; i < objects.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      out.writeBytes(objects.get(i));
    }
    out.writeBytes("]}}".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  /** Returns the objects of an answer, whatever they are. */
  List<JsonNode> converted(byte[] answer) throws ConversionException {
    JsonNode tree = read(answer);
    String wanted = GROUP + "/" + version + ", Kind=ConversionReview";
    String found = text(tree, "apiVersion") + ", Kind=" + text(tree, "kind");
    if (!found.equals(wanted)) {
      throw new ConversionException(
          "failed: expected webhook response of %s, got %s".formatted(wanted, found));
    }
    ObjectNode response = Json.objectAt(tree, "response");
    if (response == null) {
      throw new ConversionException("failed: no response provided");
    }
    if (version.equals("v1") && !text(response, "uid").equals(uid)) {
      throw new ConversionException(
          "failed: expected response.uid=\"%s\", got \"%s\"".formatted(uid, text(response, "uid")));
    }
    checkResult(Json.objectAt(response, "result"));
    ArrayNode objects = Json.arrayAt(response, "convertedObjects");
    return objects == null ? List.of() : new ArrayList<>(objects.values());
  }

  private static void checkResult(@Nullable ObjectNode result) throws ConversionException {
    String status = text(result, "status");
    String message = text(result, "message");
    if (!status.equals("Success")) {
      throw new ConversionException(
          "failed: "
              + (message.isEmpty()
                  ? "response.result.status was '%s', not 'Success'".formatted(shortened(status))
                  : shortened(message)));
    }
  }

  private static String shortened(String text) {
    return text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) + "…" : text;
  }

  private static JsonNode read(byte[] answer) throws ConversionException {
    try {
      return Json.read(answer);
    } catch (JacksonException malformed) {
      throw new ConversionException(
          "failed: the answer is not JSON: " + malformed.getOriginalMessage());
    }
  }

  private static String text(@Nullable JsonNode tree, String member) {
    return Objects.requireNonNullElse(Json.text(tree, member), "");
  }
}
