package dev.stint.apiserver.discovery;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.model.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The aggregated discovery document: all groups, versions and resources, which newer clients
 * request at {@code /api} and {@code /apis} (KEP-3352).
 */
public final class AggregatedDiscovery {
  /** The versions of the document, newest first. */
  public enum Form {
    V2("v2"),
    V2_BETA_1("v2beta1");

    private final String version;

    Form(String version) {
      this.version = version;
    }

    /** Returns the content type of the answer, which clients also send to request it. */
    public String contentType() {
      return "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList"
          .formatted(version);
    }
  }

  private AggregatedDiscovery() {}

  /** Returns the answer to {@code /api}: the core group. */
  public static ObjectNode core(ApiCatalogue catalogue, Form form) {
    return list(catalogue, form, true);
  }

  /** Returns the answer to {@code /apis}: all other groups. */
  public static ObjectNode groups(ApiCatalogue catalogue, Form form) {
    return list(catalogue, form, false);
  }

  private static ObjectNode list(ApiCatalogue catalogue, Form form, boolean core) {
    ObjectNode list = Json.object();
    list.put("kind", "APIGroupDiscoveryList");
    list.put("apiVersion", "apidiscovery.k8s.io/" + form.version);
    list.putObject("metadata");
    ArrayNode items = list.putArray("items");
    catalogue
        .groups()
        .forEach((group, versions) -> {
          if (group.isEmpty() == core) {
            group(items.addObject(), catalogue, group, versions);
          }
        });
    return list;
  }

  private static void group(
      ObjectNode tree, ApiCatalogue catalogue, String group, List<GroupVersion> versions) {
    ObjectNode metadata = tree.putObject("metadata");
    if (!group.isEmpty()) {
      metadata.put("name", group);
    }
    metadata.putNull("creationTimestamp");
    ArrayNode all = tree.putArray("versions");
    versions.forEach(served -> version(all.addObject(), catalogue, served));
  }

  private static void version(ObjectNode version, ApiCatalogue catalogue, GroupVersion served) {
    version.put("version", served.version());
    ArrayNode resources = version.putArray("resources");
    catalogue.of(served).forEach(resource -> resource(resources.addObject(), resource));
    version.put("freshness", "Current");
  }

  private static void resource(ObjectNode tree, ApiResource resource) {
    tree.put("resource", resource.name());
    responseKind(tree, resource.groupVersion(), resource.kind());
    tree.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
    tree.put("singularResource", resource.singular());
    Discovery.texts(tree, "verbs", resource.verbs());
    Discovery.textsIfAny(tree, "shortNames", resource.shortNames());
    Discovery.textsIfAny(tree, "categories", resource.categories());
    if (!resource.subresources().isEmpty()) {
      ArrayNode subresources = tree.putArray("subresources");
      resource.subresources().forEach(s -> subresource(subresources.addObject(), s));
    }
  }

  private static void subresource(ObjectNode tree, Subresource subresource) {
    tree.put("subresource", subresource.name());
    responseKind(tree, subresource.groupVersion(), subresource.kind());
    Discovery.texts(tree, "verbs", subresource.verbs());
  }

  private static void responseKind(ObjectNode tree, GroupVersion groupVersion, String kind) {
    tree.putObject("responseKind")
        .put("group", groupVersion.group())
        .put("version", groupVersion.version())
        .put("kind", kind);
  }
}
