package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.Keywords;
import dev.stint.model.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The rules of {@code spec.conversion}. Paths are those that Kubernetes names. */
final class ConversionRules {
  private static final String CLIENT = "webhookClientConfig";
  private static final String FORM = "desired format: https://host[/path]";

  private ConversionRules() {}

  /** Returns the webhook of a spec without faults; null if none is called. */
  static @Nullable ConversionWebhook webhook(Keywords spec) {
    ObjectNode tree = spec.object("conversion");
    ObjectNode webhook = Json.objectAt(tree, "webhook");
    ObjectNode client = Json.objectAt(webhook, "clientConfig");
    if (!"Webhook".equals(Json.text(tree, "strategy")) || webhook == null || client == null) {
      return null;
    }
    Keywords of = new Keywords(client, CLIENT, spec.faults());
    return new ConversionWebhook(
        of.textOrNull("url"),
        service(of.object("service")),
        of.text("caBundle"),
        new Keywords(webhook, "webhook", spec.faults()).texts("conversionReviewVersions"));
  }

  private static ConversionWebhook.@Nullable Service service(@Nullable ObjectNode tree) {
    if (tree == null) {
      return null;
    }
    Integer port = Json.integer(tree, "port");
    return new ConversionWebhook.Service(
        Objects.requireNonNullElse(Json.text(tree, "namespace"), ""),
        Objects.requireNonNullElse(Json.text(tree, "name"), ""),
        Objects.requireNonNullElse(Json.text(tree, "path"), ""),
        port == null ? 443 : port);
  }

  static void check(Keywords spec) {
    ObjectNode tree = spec.object("conversion");
    if (tree == null) {
      return;
    }
    Keywords conversion = new Keywords(tree, "spec.conversion", spec.faults());
    ObjectNode webhook = conversion.object("webhook");
    switch (conversion.text("strategy")) {
      case "" -> Reports.required(conversion, "strategy", "is required");
      case "None" -> none(conversion, webhook);
      case "Webhook" -> webhook(conversion, webhook);
      default -> Reports.notOneOf(conversion, "strategy", List.of("None", "Webhook"));
    }
  }

  private static void none(Keywords conversion, @Nullable ObjectNode webhook) {
    if (Json.objectAt(webhook, "clientConfig") != null) {
      conversion
          .faults()
          .forbidden(
              conversion.at(CLIENT), "should not be set when strategy is not set to Webhook");
    }
    if (webhook != null && webhook.has("conversionReviewVersions")) {
      conversion
          .faults()
          .forbidden(
              conversion.at("conversionReviewVersions"),
              "should not be set when strategy is not set to Webhook");
    }
  }

  private static void webhook(Keywords conversion, @Nullable ObjectNode webhook) {
    ObjectNode client = Json.objectAt(webhook, "clientConfig");
    if (client == null) {
      Reports.required(conversion, CLIENT, "required when strategy is set to Webhook");
    } else {
      client(new Keywords(client, conversion.at(CLIENT), conversion.faults()));
    }
    Keywords hook =
        new Keywords(
            webhook == null ? Json.object() : webhook, conversion.path(), conversion.faults());
    List<String> versions = hook.texts("conversionReviewVersions");
    if (versions.isEmpty()) {
      Reports.required(hook, "conversionReviewVersions", "is required");
    } else if (!versions.contains("v1") && !versions.contains("v1beta1")) {
      Reports.invalid(hook, "conversionReviewVersions", "must include at least one of v1, v1beta1");
    }
    for (int i = 0; i < versions.size(); i++) {
      Reports.label(hook, "conversionReviewVersions[" + i + "]", versions.get(i));
    }
    if (new HashSet<>(versions).size() < versions.size()) {
      Reports.invalid(hook, "conversionReviewVersions", "must not contain duplicates");
    }
  }

  private static void client(Keywords client) {
    ObjectNode service = client.object("service");
    boolean hasUrl = client.has("url");
    if (hasUrl == (service != null)) {
      client.faults().required(client.path(), "exactly one of url or service is required");
      return;
    }
    if (hasUrl) {
      url(client);
    } else if (service != null) {
      service(new Keywords(service, client.at("service"), client.faults()));
    }
  }

  private static void url(Keywords client) {
    String fault = urlFault(client.text("url"));
    if (fault != null) {
      Reports.invalid(client, "url", fault);
    }
  }

  private static @Nullable String urlFault(String text) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException notOne) {
      return "url must be a valid URL; " + FORM;
    }
    if (!"https".equals(url.getScheme())) {
      return "'https' is the only allowed URL scheme; " + FORM;
    }
    if (url.getHost() == null) {
      return "host must be specified; " + FORM;
    }
    if (url.getUserInfo() != null) {
      return "user information is not permitted in the URL";
    }
    if (url.getQuery() != null) {
      return "query parameters are not permitted in the URL";
    }
    return url.getFragment() == null ? null : "fragments are not permitted in the URL";
  }

  private static void service(Keywords service) {
    for (String name : List.of("name", "namespace")) {
      if (service.text(name).isEmpty()) {
        Reports.required(service, name, "service " + name + " is required");
      }
    }
    Long port = service.count("port");
    if (port != null && (port < 1 || port > 65535)) {
      Reports.invalid(service, "port", "port is not valid: must be between 1 and 65535, inclusive");
    }
    String path = service.text("path");
    if (!path.isEmpty() && !path.startsWith("/")) {
      Reports.invalid(service, "path", "must start with a '/'");
    }
  }
}
