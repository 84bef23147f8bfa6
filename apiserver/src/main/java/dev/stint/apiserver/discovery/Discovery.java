package dev.stint.apiserver.discovery;

import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.catalogue.ApiResource.Subresource;
import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.model.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The discovery documents, one request for each group. */
public final class Discovery {
  private Discovery() {}

  /**
   * Returns the answer to {@code /api}.
   *
   * @param serverAddress host and port where clients reach the API
   */
  public static ObjectNode versions(String serverAddress) {
    ObjectNode versions = Json.object();
    versions.put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    versions
        .putArray("serverAddressByClientCIDRs")
        .addObject()
        .put("clientCIDR", "0.0.0.0/0")
        .put("serverAddress", serverAddress);
    return versions;
  }

  /** Returns the answer to {@code /apis}. */
  public static ObjectNode groups(ApiCatalogue catalogue) {
    ObjectNode list = document("APIGroupList");
    ArrayNode groups = list.putArray("groups");
    catalogue
        .groups()
        .forEach((group, versions) -> {
          if (!group.isEmpty()) {
            describe(groups.addObject(), group, versions);
          }
        });
    return list;
  }

  /** Returns the answer to {@code /apis/GROUP}; empty if the group is not served. */
  public static Optional<ObjectNode> group(ApiCatalogue catalogue, String group) {
    return Optional.ofNullable(group.isEmpty() ? null : catalogue.groups().get(group))
        .map(versions -> describe(document("APIGroup"), group, versions));
  }

  /** Returns the answer to {@code /api/v1} and {@code /apis/GROUP/VERSION}; empty if not served. */
  public static Optional<ObjectNode> resources(ApiCatalogue catalogue, GroupVersion groupVersion) {
    List<ApiResource> served = catalogue.of(groupVersion);
    if (served.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode list = document("APIResourceList");
    list.put("groupVersion", groupVersion.toString());
    ArrayNode resources = list.putArray("resources");
    for (ApiResource resource : served) {
      describe(resources.addObject(), resource);
      for (Subresource subresource : resource.subresources()) {
        describe(resources.addObject(), resource, subresource);
      }
    }
    return Optional.of(list);
  }

  private static ObjectNode document(String kind) {
    return Json.object().put("kind", kind).put("apiVersion", "v1");
  }

  private static ObjectNode describe(ObjectNode tree, String group, List<GroupVersion> versions) {
    tree.put("name", group);
    ArrayNode all = tree.putArray("versions");
    versions.forEach(served -> version(all.addObject(), served));
    version(tree.putObject("preferredVersion"), versions.getFirst());
    return tree;
  }

  private static void version(ObjectNode version, GroupVersion served) {
    version.put("groupVersion", served.toString()).put("version", served.version());
  }

  private static void describe(ObjectNode tree, ApiResource resource) {
    tree.put("name", resource.name());
    tree.put("singularName", resource.singular());
    tree.put("namespaced", resource.namespaced());
    tree.put("kind", resource.kind());
    texts(tree, "verbs", resource.verbs());
    textsIfAny(tree, "shortNames", resource.shortNames());
    textsIfAny(tree, "categories", resource.categories());
  }

  private static void describe(ObjectNode tree, ApiResource resource, Subresource subresource) {
    tree.put("name", resource.name() + "/" + subresource.name());
    tree.put("singularName", "");
    tree.put("namespaced", resource.namespaced());
    if (!subresource.groupVersion().equals(resource.groupVersion())) {
      tree.put("group", subresource.groupVersion().group());
      tree.put("version", subresource.groupVersion().version());
    }
    tree.put("kind", subresource.kind());
    texts(tree, "verbs", subresource.verbs());
  }

  static void texts(ObjectNode tree, String member, List<String> texts) {
    ArrayNode array = tree.putArray(member);
    texts.forEach(array::add);
  }

  static void textsIfAny(ObjectNode tree, String member, List<String> texts) {
    if (!texts.isEmpty()) {
      texts(tree, member, texts);
    }
  }
}
