package dev.stint.testkit.client;

import io.kubernetes.client.util.Yaml;

/**
 * Definitions of custom resources in client-java's classes. Only this class refers to them, so that
 * they are loaded only on request.
 */
final class OfficialJavaDefinitions {
  private OfficialJavaDefinitions() {}

  static String yaml(Object definition) {
    return Yaml.dump(definition);
  }
}
