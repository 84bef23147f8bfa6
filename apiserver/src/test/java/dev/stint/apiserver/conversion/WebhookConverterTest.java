package dev.stint.apiserver.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.stint.apiserver.webhook.HookServer;
import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.webhook.WebhookClientConfig;
import dev.stint.model.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WebhookConverterTest {
  private static final String NEW = "example.com/v2";

  private final HookServer hook = new HookServer(WebhookConverterTest::convert);
  private final ConvertedObjects known = new ConvertedObjects(1000);
  private final WebhookConverter converter =
      new WebhookConverter(
          new WebhookClient((_, _, _) -> hook.address()),
          new WebhookClientConfig(hook.url(), null, hook.certificate().leaf()),
          List.of("v1"),
          known);

  @AfterEach
  void close() {
    hook.close();
  }

  /** Makes objects as long as they ask to be. */
  private static void convert(HttpExchange exchange, ObjectNode review) throws IOException {
    HookServer.json(
        exchange,
        HookServer.converted(
            review, object -> object.put("padding", "x".repeat(object.path("length").asInt()))));
  }

  private static ObjectNode object(int length) {
    return Json.parse(
        """
        {"apiVersion": "example.com/v1", "kind": "Endpoint", "length": %d,
         "metadata": {"name": "a", "uid": "u", "resourceVersion": "7"}}
        """
            .formatted(length));
  }

  @Test
  void whatIsKeptIsBoundedByWhatTheWebhookAnswers() {
    converter.convert(List.of(object(10)), NEW);
    assertThat(known.find(converter, object(10), NEW)).isNotNull();
    converter.convert(List.of(object(1000)), NEW);
    assertThat(known.find(converter, object(1000), NEW)).isNull();
  }
}
