package dev.stint.apiserver.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.webhook.WebhookClientConfig;
import dev.stint.apiserver.webhook.WebhookException;
import dev.stint.model.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ConvertedObjectsTest {
  private final ConvertedObjects known = new ConvertedObjects(100);
  private final WebhookConverter converter = converter();

  private WebhookConverter converter() {
    WebhookClient client =
        new WebhookClient((_, name, _) -> {
          throw new WebhookException(name);
        });
    WebhookClientConfig config = new WebhookClientConfig("https://127.0.0.1:1", null, "");
    return new WebhookConverter(client, config, List.of("v1"), known);
  }

  private static ObjectNode object(String apiVersion, String revision, String text) {
    return Json.parse(
        """
        {"apiVersion": "%s", "metadata": {"uid": "u", "resourceVersion": "%s"}, "text": "%s"}
        """
            .formatted(apiVersion, revision, text));
  }

  @Test
  void aConversionIsFoundByItsObjectAndVersion() {
    ObjectNode to = object("v2", "1", "a");
    known.keep(converter, object("v1", "1", "a"), to, 50);
    assertThat(known.find(converter, object("v1", "1", "a"), "v2")).isSameAs(to);
    assertThat(known.find(converter, object("v1", "1", "a"), "v3")).isNull();
    assertThat(known.find(converter, object("v1", "2", "a"), "v2")).isNull();
    assertThat(known.find(converter(), object("v1", "1", "a"), "v2")).isNull();
  }

  @Test
  void otherContentUnderTheSameRevisionIsNotFound() {
    known.keep(converter, object("v1", "1", "a"), object("v2", "1", "a"), 50);
    assertThat(known.find(converter, object("v1", "1", "dry run"), "v2")).isNull();
  }

  @Test
  void whatIsReadLeastRecentlyGoesFirst() {
    known.keep(converter, object("v1", "1", "a"), object("v2", "1", "a"), 40);
    known.keep(converter, object("v1", "2", "a"), object("v2", "2", "a"), 40);
    assertThat(known.find(converter, object("v1", "1", "a"), "v2")).isNotNull();
    known.keep(converter, object("v1", "3", "a"), object("v2", "3", "a"), 40);
    assertThat(known.find(converter, object("v1", "2", "a"), "v2")).isNull();
    assertThat(known.find(converter, object("v1", "1", "a"), "v2")).isNotNull();
    known.keep(converter, object("v1", "4", "a"), object("v2", "4", "a"), 101);
    assertThat(known.find(converter, object("v1", "4", "a"), "v2")).isNull();
  }

  @Test
  void anObjectThatIsNotStoredIsNotKept() {
    ObjectNode fresh = Json.parse("{\"apiVersion\": \"v1\", \"metadata\": {\"uid\": \"u\"}}");
    known.keep(converter, fresh, object("v2", "", "a"), 10);
    assertThat(known.find(converter, fresh, "v2")).isNull();
  }
}
