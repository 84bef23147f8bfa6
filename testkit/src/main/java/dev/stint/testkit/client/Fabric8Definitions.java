package dev.stint.testkit.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * Definitions of custom resources in fabric8's classes. Only this class refers to them, so that
 * they are loaded only on request.
 */
final class Fabric8Definitions {
  private Fabric8Definitions() {}

  /** Returns the name of the definition of a class, such as {@code reports.example.com}. */
  static String name(Class<?> resource) {
    if (!HasMetadata.class.isAssignableFrom(resource) || HasMetadata.getGroup(resource) == null) {
      throw new IllegalArgumentException(
          "expected a class that extends fabric8's CustomResource and has @Group and @Version,"
              + " found "
              + resource.getName());
    }
    return HasMetadata.getFullResourceName(resource);
  }

  static String yaml(Object definition) {
    return new KubernetesSerialization().asYaml(definition);
  }
}
