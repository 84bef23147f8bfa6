package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.util.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions of custom resources in a test. */
@StintTest(crds = "crds/*.yaml")
class CrdsTest {
  private static final Kind WIDGET = new Kind("example.com", "v1", "Widget", "widgets", true);
  private static final Kind SHELF = new Kind("example.com", "v1", "Shelf", "shelves", false);
  private static final Kind GADGET = new Kind("example.com", "v1", "Gadget", "gadgets", true);

  private static final String PARTS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: parts.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: Part, plural: parts}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {weight: {type: integer}}}
      """;

  /** A class whose definition is under {@code META-INF/fabric8}. */
  @Group("example.com")
  @Version("v1")
  private static final class Gadget extends CustomResource<Void, Void> implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  /** A class without a definition. */
  @Group("example.com")
  @Version("v1")
  private static final class Unknown extends CustomResource<Void, Void> {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void theAnnotationNamesFilesOnTheClassPath(Jobs jobs) {
    List<ObjectRef> applied =
        jobs.applyAll(
            """
            apiVersion: example.com/v1
            kind: Shelf
            metadata: {name: upper}
            ---
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: small}
            spec: {}
            """);
    assertThat(applied)
        .containsExactly(
            new ObjectRef(SHELF, "", "upper"), new ObjectRef(WIDGET, jobs.namespace(), "small"));
    KubeObject upper =
        jobs.await(applied.getFirst(), "there", shelf -> true, Duration.ofSeconds(10));
    assertThat(upper.kindName()).isEqualTo("Shelf");
    KubeObject small =
        jobs.await(applied.getLast(), "there", widget -> true, Duration.ofSeconds(10));
    assertThat(small.spec()).hasToString("{\"size\":2}");
    assertThat(jobs.list(WIDGET)).extracting(KubeObject::name).containsExactly("small");
  }

  @Test
  void anAppliedCustomResourceIsPatched(Jobs jobs) {
    jobs.applyAll(widget("{size: 3}"));
    jobs.applyAll(widget("{size: 4}"));
    assertThat(jobs.list(WIDGET)).singleElement().extracting(KubeObject::generation).isEqualTo(2L);
  }

  @Test
  void faultsOfCustomResourcesAreNamed(Jobs jobs) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.applyAll(widget("{syze: 3}")))
        .withMessage("test:4: spec.syze: unknown field");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.applyAll(widget("{}").replace("Widget", "Wodget")))
        .withMessageContaining("example.com/v1 Wodget is not served; apply its CustomResource");
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> jobs.applyAll(widget("{size: 0}")))
        .withMessageContaining("spec.size: Invalid value: 0");
  }

  private static String widget(String spec) {
    return """
    apiVersion: example.com/v1
    kind: Widget
    metadata: {name: small}
    spec: %s
    """
        .formatted(spec);
  }

  @Test
  void definitionsComeFromFilesTextClassesAndModels(
      Crds crds, KubernetesClient fabric8, @TempDir Path dir) throws Exception {
    assertThat(crds.apply(PARTS)).extracting(Kind::plural).containsExactly("parts");
    Path file = Files.writeString(dir.resolve("bolts.yaml"), renamed("bolts", "Bolt"));
    assertThat(crds.apply(file)).extracting(Kind::kind).containsExactly("Bolt");
    assertThat(crds.applyFiles("file:" + dir + "/*.yaml")).hasSize(1);
    assertThat(crds.applyFiles("classpath:META-INF/fabric8/*-v1.yml")).containsExactly(GADGET);
    assertThat(crds.apply(Gadget.class)).containsExactly(GADGET);
    CustomResourceDefinition ours =
        fabric8.getKubernetesSerialization().unmarshal(renamed("nuts", "Nut"));
    assertThat(crds.apply(new CustomResourceDefinitionBuilder(ours).build()))
        .extracting(Kind::kind)
        .containsExactly("Nut");
    V1CustomResourceDefinition theirs =
        Yaml.loadAs(renamed("pins", "Pin"), V1CustomResourceDefinition.class);
    assertThat(crds.apply(theirs)).extracting(Kind::kind).containsExactly("Pin");
    assertThat(fabric8.genericKubernetesResources("example.com/v1", "Pin").list().getItems())
        .isEmpty();
  }

  private static String renamed(String plural, String kind) {
    return PARTS.replace("parts", plural).replace("Part", kind);
  }

  @Test
  void anAppliedDefinitionReplacesTheOneBefore(Crds crds, Jobs jobs) {
    crds.apply(PARTS);
    crds.apply(PARTS.replace("weight", "length"));
    String part =
        """
        apiVersion: example.com/v1
        kind: Part
        metadata: {name: a}
        spec: {%s: 1}
        """;
    assertThat(jobs.applyAll(part.formatted("length"))).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.applyAll(part.formatted("weight")))
        .withMessageContaining("spec.weight: unknown field");
  }

  @Test
  void refusedDefinitionsFailWithTheirCauses(Crds crds) {
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> crds.apply(PARTS.replace("type: integer", "type: number of grams")))
        .withMessageStartingWith("crd:1: ")
        .withMessageContaining("properties[spec].properties[weight].type: Unsupported value")
        .satisfies(refusal -> assertThat(refusal.causes()).isNotEmpty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply(PARTS.replace("scope", "scoop")))
        .withMessageContaining("crd:6: spec.scoop: unknown field");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply(PARTS.replace("Part", "Widget")))
        .withMessageContaining("parts.example.com is not served: NamesAccepted: ");
  }

  @Test
  void otherDocumentsAreRefused(Crds crds) {
    String others = PARTS + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply(others))
        .withMessage(
            "crd:18: expected a CustomResourceDefinition of apiextensions.k8s.io/v1, found v1"
                + " ConfigMap; apply other objects with jobs.applyAll or a client");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply("# nothing"))
        .withMessage("crd holds no CustomResourceDefinition");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply("crds/*.yaml"))
        .withMessageContaining("expected a CustomResourceDefinition");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply(List.of()))
        .withMessageContaining("expected a CustomResourceDefinition of fabric8 or client-java");
  }

  @Test
  void missingFilesAreNamed(Crds crds) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.applyFiles("crd/*.yaml"))
        .withMessageStartingWith(
            "no file matches \"crd/*.yaml\": neither on the class path nor in");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply(Unknown.class))
        .withMessageStartingWith(
            "META-INF/fabric8/unknowns.example.com-v1.yml is not on the class");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> crds.apply(String.class))
        .withMessageStartingWith("expected a class that extends fabric8's CustomResource");
  }
}
