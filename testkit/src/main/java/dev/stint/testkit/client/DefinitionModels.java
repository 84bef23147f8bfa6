package dev.stint.testkit.client;

import dev.stint.testkit.document.FoundFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Definitions of custom resources as the libraries of clients have them. */
public final class DefinitionModels {
  private DefinitionModels() {}

  /**
   * Returns the definition that fabric8's generator has written for a class of custom resources.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FoundFile generated(Class<?> resource) {
    String name = "META-INF/fabric8/" + Fabric8Definitions.name(resource) + "-v1.yml";
    try (InputStream file = loader(resource).getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalArgumentException(
            "%s is not on the class path; let fabric8's generator write it (docs/testing.md), or apply"
                    .formatted(name)
                + " the definition of %s from a file".formatted(resource.getSimpleName()));
      }
      return new FoundFile(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException fault) {
      throw new UncheckedIOException("cannot read " + name, fault);
    }
  }

  private static ClassLoader loader(Class<?> type) {
    ClassLoader own = type.getClassLoader();
    return own == null ? ClassLoader.getSystemClassLoader() : own;
  }

  /**
   * Returns a definition as YAML.
   *
   * @param definition an object of fabric8 or client-java
   */
  public static String yaml(Object definition) {
    String type = definition.getClass().getName();
    if (type.startsWith("io.fabric8.")) {
      return Fabric8Definitions.yaml(definition);
    }
    if (type.startsWith("io.kubernetes.")) {
      return OfficialJavaDefinitions.yaml(definition);
    }
    throw new IllegalArgumentException(
        "expected a CustomResourceDefinition of fabric8 or client-java, found a " + type);
  }
}
