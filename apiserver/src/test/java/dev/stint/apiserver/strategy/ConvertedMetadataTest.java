package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.SchemaReader;
import dev.stint.apiserver.conversion.ConvertedObjects;
import dev.stint.apiserver.conversion.WebhookConverter;
import dev.stint.apiserver.webhook.HookServer;
import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.webhook.WebhookClientConfig;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldErrors;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Converted objects are shared, so that writers have metadata of their own. */
class ConvertedMetadataTest {
  private static final Kind STORED = new Kind("example.com", "v2", "Endpoint", "endpoints", true);

  private final HookServer hook = new HookServer(ConvertedMetadataTest::convert);
  private final CustomVersions versions =
      new CustomVersions(
          STORED,
          Map.of("example.com/v1", anything(), "example.com/v2", anything()),
          new WebhookConverter(
              new WebhookClient((_, _, _) -> hook.address()),
              new WebhookClientConfig(hook.url(), null, hook.certificate().leaf()),
              List.of("v1"),
              new ConvertedObjects()));

  @AfterEach
  void close() {
    hook.close();
  }

  private static JsonSchema anything() {
    ObjectNode schema = Json.object().put("type", "object");
    schema.put("x-kubernetes-preserve-unknown-fields", true);
    return new SchemaReader(new FieldErrors()).read(schema, "");
  }

  private static void convert(HttpExchange exchange, ObjectNode review) throws IOException {
    HookServer.json(exchange, HookServer.converted(review, _ -> {}));
  }

  @Test
  void aWriterDoesNotChangeWhatOthersRead() {
    ObjectNode object =
        Json.parse(
            """
            {"apiVersion": "example.com/v1", "kind": "Endpoint",
             "metadata": {"name": "a", "uid": "u", "resourceVersion": "7"}}
            """);
    MetadataDefaults.of(versions.kept(object)).remove("resourceVersion");
    assertThat(versions.kept(object).at("/metadata/resourceVersion").asString()).isEqualTo("7");
    assertThat(hook.requests()).hasSize(1);
  }
}
