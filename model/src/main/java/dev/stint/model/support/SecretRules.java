package dev.stint.model.support;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a Secret. No fault contains its values. */
public final class SecretRules {
  private static final Map<String, List<String>> REQUIRED =
      Map.of(
          "kubernetes.io/tls", List.of("tls.crt", "tls.key"),
          "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
          "kubernetes.io/dockercfg", List.of(".dockercfg"),
          "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"));
  private static final String SERVICE_ACCOUNT = "kubernetes.io/service-account.name";

  private SecretRules() {}

  /** Moves {@code stringData}, which is write-only, to the data, and sets a missing type. */
  public static void complete(ObjectNode secret) {
    ObjectNode data = Json.copyOf(Json.objectAt(secret, "data"));
    Json.forEachText(secret, "stringData", (key, text) -> data.put(key, base64(text)));
    secret.remove("stringData");
    if (!data.isEmpty()) {
      secret.set("data", data);
    }
    if (Json.text(secret, "type") == null) {
      secret.put("type", "Opaque");
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Checks a new or changed secret, without the one before; it has a type and no {@code
   * stringData}.
   */
  public static void check(FieldPath root, FieldErrors faults) {
    FieldPath data = root.get("data");
    ConfigDataRules.keys(data, faults);
    if (ConfigDataRules.decodedBytes(data) > ConfigDataRules.MOST_BYTES) {
      faults.tooLong("data", "may have at most " + ConfigDataRules.MOST_BYTES + " bytes in total");
    }
    String type = root.get("type").text();
    for (String key : REQUIRED.getOrDefault(type, List.of())) {
      if (!data.entry(key).exists()) {
        faults.required("data[" + key + "]", "is required in a secret of type " + type);
      } else if (key.startsWith(".") && !isJson(data.entry(key).text())) {
        faults.invalid("data[" + key + "]", "must be a JSON object");
      }
    }
    if (type.equals("kubernetes.io/basic-auth")
        && !data.entry("username").exists()
        && !data.entry("password").exists()) {
      faults.required("data[username]", "is required in a secret of type " + type);
      faults.required("data[password]", "is required in a secret of type " + type);
    }
    if (type.equals("kubernetes.io/service-account-token")
        && root.get("metadata", "annotations").entry(SERVICE_ACCOUNT).isEmpty()) {
      faults.required(
          "metadata.annotations[" + SERVICE_ACCOUNT + "]",
          "is required in a secret of type " + type);
    }
  }

  /** Checks the change from one secret to another. */
  public static void update(FieldPath before, FieldPath after, FieldErrors faults) {
    check(after, faults);
    if (!before.get("type").sameAs(after.get("type"))) {
      faults.invalid(after.get("type"), "field is immutable");
    }
    ConfigDataRules.unchanged(before, after, List.of("data"), faults);
  }

  private static boolean isJson(String base64) {
    try {
      return Json.read(Base64.getDecoder().decode(base64)).isObject();
    } catch (JacksonException broken) {
      return false;
    }
  }
}
