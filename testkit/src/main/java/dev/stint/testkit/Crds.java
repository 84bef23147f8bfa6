package dev.stint.testkit;

import dev.stint.apiserver.ApiServer;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.testkit.client.DefinitionModels;
import dev.stint.testkit.document.FilePattern;
import dev.stint.testkit.document.FoundFile;
import dev.stint.testkit.document.ServedDocuments;
import dev.stint.testkit.time.BlockingAnswers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The CustomResourceDefinitions of a test. A kind is served as soon as its definition is applied.
 *
 * <pre>{@code
 * crds.applyFiles("crds/*.yaml");      // on the class path, or else from the working directory
 * crds.apply(Report.class);            // as fabric8's generator has written it for this class
 * crds.apply(definition);              // an object of fabric8 or client-java
 * crds.apply(Path.of("report.yaml"));
 * crds.apply("apiVersion: apiextensions.k8s.io/v1 ...");
 * }</pre>
 *
 * <p>A definition that exists is replaced. Definitions belong to the control plane: if the tests of
 * a class share it, they share the definitions too.
 *
 * <p>Each method returns the kinds that are defined, as they are stored, for {@link Jobs#list} and
 * {@link Jobs#await}. It throws an {@link IllegalArgumentException} for documents that are no
 * definitions or have unknown fields, and a {@link ClusterException} with the API's causes for
 * definitions that the API refuses.
 */
public final class Crds {
  private static final String API_VERSION = Kind.CUSTOM_RESOURCE_DEFINITION.apiVersion();
  private static final String KIND = Kind.CUSTOM_RESOURCE_DEFINITION.kind();

  private final TestControlPlane controlPlane;
  private final ClassLoader classPath;

  /**
   * @param classPath where files are looked for
   */
  Crds(TestControlPlane controlPlane, ClassLoader classPath) {
    this.controlPlane = controlPlane;
    this.classPath = classPath;
  }

  /** Applies the definitions in a YAML or JSON text. */
  public List<Kind> apply(String text) {
    return apply("crd", text);
  }

  /** Applies the definitions in a file. */
  public List<Kind> apply(Path file) {
    try {
      return apply(file.toString(), Files.readString(file));
    } catch (IOException fault) {
      throw new UncheckedIOException("cannot read " + file, fault);
    }
  }

  /**
   * Applies the definition that fabric8's generator has written for a class of custom resources to
   * {@code META-INF/fabric8} on the class path.
   */
  public List<Kind> apply(Class<?> resource) {
    FoundFile generated = DefinitionModels.generated(resource);
    return apply(generated.name(), generated.text());
  }

  /** Applies a definition that is a {@code CustomResourceDefinition} of fabric8 or client-java. */
  public List<Kind> apply(Object definition) {
    return apply("crd", DefinitionModels.yaml(definition));
  }

  /**
   * Applies the definitions in all files that match these patterns, such as {@code crds/*.yaml}.
   * Each pattern is looked for on the class path, and, if nothing there matches, relative to the
   * working directory. The prefixes {@code classpath:} and {@code file:} choose one of the two. Two
   * asterisks stand for any directories.
   */
  public List<Kind> applyFiles(String... patterns) {
    List<Kind> kinds = new ArrayList<>();
    for (String pattern : patterns) {
      try {
        for (FoundFile file : new FilePattern(pattern).find(classPath)) {
          kinds.addAll(apply(file.name(), file.text()));
        }
      } catch (IOException fault) {
        throw new UncheckedIOException("cannot read " + pattern, fault);
      }
    }
    return List.copyOf(kinds);
  }

  private List<Kind> apply(String source, String text) {
    List<Document> written = Documents.read(source, text.getBytes(StandardCharsets.UTF_8));
    if (written.isEmpty()) {
      throw new IllegalArgumentException(source + " holds no " + KIND);
    }
    written.forEach(Crds::requireDefinition);
    return new ServedDocuments(api()).decode(written).stream().map(this::applied).toList();
  }

  private static void requireDefinition(Document written) {
    String apiVersion = written.object().apiVersion();
    String kind = written.object().kindName();
    if (!apiVersion.equals(API_VERSION) || !kind.equals(KIND)) {
      String found = apiVersion.isEmpty() && kind.isEmpty() ? "none" : apiVersion + " " + kind;
      throw new IllegalArgumentException(
          "%s:%d: expected a %s of %s, found %s; apply other objects with jobs.applyAll or a client"
              .formatted(written.sourceName(), written.line(), KIND, API_VERSION, found.strip()));
    }
  }

  private Kind applied(Document document) {
    String where = document.sourceName() + ":" + document.line() + ": ";
    controlPlane.settle();
    KubeObject stored = createdOrReplaced(document.object(), where);
    controlPlane.settle();
    if (!isEstablished(stored)) {
      throw new IllegalArgumentException(
          "%s%s is not served: %s".formatted(where, stored.name(), conditions(stored)));
    }
    return kind(stored);
  }

  private KubeObject createdOrReplaced(KubeObject definition, String where) {
    try {
      return BlockingAnswers.of(cluster().create(definition));
    } catch (ClusterException refusal) {
      if (refusal.reason() == Reason.ALREADY_EXISTS) {
        return replaced(definition, where);
      }
      throw at(where, refusal);
    }
  }

  private KubeObject replaced(KubeObject definition, String where) {
    ObjectRef ref = new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", definition.name());
    try {
      KubeObject before = BlockingAnswers.of(cluster().get(ref));
      ObjectNode after = definition.copy();
      after.withObjectProperty("metadata").put("resourceVersion", before.resourceVersion());
      return BlockingAnswers.of(cluster().update(KubeObject.of(after)));
    } catch (ClusterException refusal) {
      throw at(where, refusal);
    }
  }

  private static ClusterException at(String where, ClusterException refusal) {
    return new ClusterException(
        refusal.reason(),
        where + refusal.getMessage(),
        refusal.causes(),
        refusal,
        refusal.subject());
  }

  private static boolean isEstablished(KubeObject definition) {
    for (JsonNode condition : definition.tree().at("/status/conditions")) {
      if (condition.path("type").asString("").equals("Established")) {
        return condition.path("status").asString("").equals("True");
      }
    }
    return false;
  }

  private static String conditions(KubeObject definition) {
    List<String> faults = new ArrayList<>();
    for (JsonNode condition : definition.tree().at("/status/conditions")) {
      if (!condition.path("status").asString("").equals("True")) {
        faults.add(
            condition.path("type").asString("") + ": " + condition.path("message").asString(""));
      }
    }
    return String.join("; ", faults);
  }

  private Kind kind(KubeObject definition) {
    String version = "";
    for (JsonNode each : definition.tree().at("/spec/versions")) {
      if (Boolean.TRUE.equals(Json.bool(each, "storage"))) {
        version = each.path("name").asString("");
      }
    }
    String apiVersion = definition.specText("group") + "/" + version;
    String kind = definition.tree().at("/spec/names/kind").asString("");
    return api()
        .storedKind(apiVersion, kind)
        .orElseThrow(() -> new IllegalStateException(apiVersion + " " + kind + " is not served"));
  }

  private ApiServer api() {
    return controlPlane.plane().api();
  }

  private Cluster cluster() {
    return api();
  }
}
