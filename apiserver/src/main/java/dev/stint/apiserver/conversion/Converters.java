package dev.stint.apiserver.conversion;

import dev.stint.apiextensions.definition.CompiledDefinition.CustomKind;
import dev.stint.apiextensions.definition.ConversionWebhook;
import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.webhook.WebhookClientConfig;
import java.util.function.Function;

/** Makes the converters of custom kinds, which share connections and a cache. */
public final class Converters implements Function<CustomKind, ObjectConverter> {
  private final WebhookClient client;
  private final ConvertedObjects known = new ConvertedObjects();

  public Converters(WebhookClient client) {
    this.client = client;
  }

  @Override
  public ObjectConverter apply(CustomKind kind) {
    ConversionWebhook webhook = kind.webhook();
    return webhook == null
        ? new ObjectConverter.Renaming()
        : new WebhookConverter(client, config(webhook), webhook.reviewVersions(), known);
  }

  private static WebhookClientConfig config(ConversionWebhook webhook) {
    ConversionWebhook.Service of = webhook.service();
    return new WebhookClientConfig(
        webhook.url(),
        of == null
            ? null
            : new WebhookClientConfig.Service(of.namespace(), of.name(), of.path(), of.port()),
        webhook.caBundle());
  }
}
