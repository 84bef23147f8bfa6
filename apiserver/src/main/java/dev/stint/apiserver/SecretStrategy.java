package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Secrets: {@code stringData} is written and never read, {@code type} has a default. */
final class SecretStrategy extends PlainStrategy {
  SecretStrategy() {
    super(Kind.SECRET);
  }

  @Override
  public List<FieldError> create(ObjectNode secret) {
    prepare(secret);
    return super.create(secret);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    prepare(after);
    return super.update(before, after);
  }

  private static void prepare(ObjectNode secret) {
    ObjectNode data = Json.object();
    ObjectNode given = Json.objectAt(secret, "data");
    if (given != null) {
      data.setAll(given);
    }
    Json.forEachText(
        secret,
        "stringData",
        (key, text) ->
            data.put(
                key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    secret.remove("stringData");
    if (!data.isEmpty()) {
      secret.set("data", data);
    }
    if (Json.text(secret, "type") == null) {
      secret.put("type", "Opaque");
    }
  }
}
