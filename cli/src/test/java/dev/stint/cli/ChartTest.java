package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The chart renders the manifests of {@code deploy/base}, apart from its values. */
class ChartTest {
  private static final Path DEPLOY = Path.of("../deploy").toAbsolutePath().normalize();
  private static final Path KUBECTL = Path.of("/usr/bin/kubectl");
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** Objects by kind. */
  private static Map<String, JsonNode> read(Iterable<String> texts) {
    Map<String, JsonNode> objects = new TreeMap<>();
    for (String text : texts) {
      for (Object found : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
        JsonNode object = MAPPER.valueToTree(found);
        objects.put(object.path("kind").asString(), object);
      }
    }
    return objects;
  }

  private static Map<String, JsonNode> rendered(UnaryOperator<TemplateCommand> values) {
    TemplateCommand command = new Helm(DEPLOY).template().withName("stint");
    return read(List.of(values.apply(command).call()));
  }

  /** Returns the names of the objects that belong to the whole cluster. */
  private static Set<String> ofTheCluster(Map<String, JsonNode> objects) {
    return objects.values().stream()
        .filter(object -> object.at("/metadata/namespace").isMissingNode())
        .map(object ->
            object.path("kind").asString() + " " + object.at("/metadata/name").asString(""))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, JsonNode> base() throws Exception {
    try (Stream<Path> files = Files.list(DEPLOY.resolve("base"))) {
      List<String> texts =
          files
              .map(file -> {
                try {
                  return Files.readString(file);
                } catch (IOException fault) {
                  throw new UncheckedIOException(fault);
                }
              })
              .toList();
      return read(texts);
    }
  }

  private static JsonNode of(Map<String, JsonNode> objects, String kind) {
    return Objects.requireNonNull(objects.get(kind), kind);
  }

  private static ObjectNode container(Map<String, JsonNode> objects) {
    return (ObjectNode) of(objects, "Deployment").at("/spec/template/spec/containers/0");
  }

  @Test
  void withoutValuesItRendersTheSameAsKustomize() throws Exception {
    Map<String, JsonNode> base = base();
    JsonNode image = Objects.requireNonNull(base.remove("Kustomization")).at("/images/0");
    base.remove("Namespace"); // The namespace is that of the release.
    container(base)
        .put("image", image.at("/newName").asString() + ":" + image.at("/newTag").asString());
    assertThat(rendered(command -> command.withNamespace("stint-system"))).isEqualTo(base);
  }

  @Test
  void valuesAppearInTheirFields() {
    Map<String, JsonNode> objects =
        rendered(command ->
            command
                .withNamespace("here")
                .set("image.repository", "registry/stint")
                .set("image.tag", "7")
                .set("claim", "built-in")
                .set("replicas", "3")
                .set("shards", "6")
                .set("args[0]", "--kube-api-qps=1000")
                .set("resources.limits.memory", "1Gi"));
    ObjectNode container = container(objects);
    assertThat(container.at("/image").asString()).isEqualTo("registry/stint:7");
    assertThat(((ArrayNode) container.at("/args")).valueStream().map(JsonNode::asString))
        .containsExactly(
            "controller",
            "--claim=built-in",
            "--leader-elect",
            "--metrics-listen=0.0.0.0:8080",
            "--console-token-file=/etc/stint/console/token",
            "--shards=6",
            "--kube-api-qps=1000");
    assertThat(container.at("/resources").toString())
        .isEqualTo("{\"limits\":{\"memory\":\"1Gi\"}}");
    assertThat(of(objects, "Deployment").at("/spec/replicas").intValue()).isEqualTo(3);
    assertThat(of(objects, "ClusterRoleBinding").at("/subjects/0/namespace").asString())
        .isEqualTo("here");
    assertThat(of(objects, "ClusterRole").at("/metadata").has("namespace")).isFalse();
    assertThat(of(objects, "Role").at("/metadata/namespace").asString()).isEqualTo("here");
  }

  @ParameterizedTest
  @CsvSource({"second, stint-system", "stint, team-b", "second, team-b"})
  void aSecondReleaseSharesNoObjectOfTheClusterWithTheFirst(String name, String namespace) {
    Map<String, JsonNode> second =
        rendered(command -> command.withName(name).withNamespace(namespace));
    assertThat(ofTheCluster(second))
        .hasSize(2)
        .doesNotContainAnyElementsOf(
            ofTheCluster(rendered(command -> command.withNamespace("stint-system"))));
    JsonNode binding = of(second, "ClusterRoleBinding");
    assertThat(binding.at("/roleRef/name"))
        .isEqualTo(of(second, "ClusterRole").at("/metadata/name"))
        .isEqualTo(binding.at("/metadata/name"));
    assertThat(of(second, "RoleBinding").at("/roleRef/name").asString())
        .isEqualTo("stint-controller");
  }

  /** See "A second controller" in docs/operations.md. */
  @Test
  void asAnOverlayWithASuffixASecondControllerSharesNoObjectOfTheCluster(@TempDir Path directory)
      throws Exception {
    assumeTrue(Files.isExecutable(KUBECTL), "NOT TESTED: kubectl is not installed");
    Path overlay = Files.createDirectory(directory.resolve("team-b"));
    // Only relative paths are allowed.
    Path deploy = overlay.toRealPath().relativize(DEPLOY.toRealPath());
    Files.writeString(overlay.resolve("kustomization.yaml"), overlay(deploy));
    Map<String, JsonNode> second = read(List.of(rendered(overlay)));
    assertThat(ofTheCluster(second)).hasSize(3).doesNotContainAnyElementsOf(ofTheCluster(base()));
    JsonNode binding = of(second, "ClusterRoleBinding");
    assertThat(binding.at("/roleRef/name"))
        .isEqualTo(of(second, "ClusterRole").at("/metadata/name"));
    assertThat(binding.at("/subjects/0/namespace").asString()).isEqualTo("team-b");
    assertThat(container(second).at("/args/1").asString()).isEqualTo("--claim=example.com/team-b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"monitoring", "console"})
  void anOverlayMayAddADirectoryBesideTheBase(String more, @TempDir Path directory)
      throws Exception {
    assumeTrue(Files.isExecutable(KUBECTL), "NOT TESTED: kubectl is not installed");
    Path overlay = Files.createDirectory(directory.resolve("team-b"));
    Path deploy = overlay.toRealPath().relativize(DEPLOY.toRealPath());
    String resource = "  - " + deploy.resolve("base") + "\n";
    Files.writeString(
        overlay.resolve("kustomization.yaml"),
        overlay(deploy).replace(resource, resource + resource.replace("/base", "/" + more)));
    assertThat(read(List.of(rendered(overlay))))
        .allSatisfy((kind, object) ->
            assertThat(object.at("/metadata/namespace").asString("team-b"))
                .as(kind)
                .isEqualTo("team-b"));
    assertThat(rendered(DEPLOY.resolve(more))).doesNotContain("kind: Deployment");
  }

  /** Returns what a directory of kustomize says. */
  private static String rendered(Path directory) throws Exception {
    Process kubectl =
        new ProcessBuilder(KUBECTL.toString(), "kustomize", directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(kubectl.waitFor()).as(said).isZero();
    return said;
  }

  /** Returns the overlay of the documentation. */
  private static String overlay(Path deploy) throws IOException {
    String page = Files.readString(DEPLOY.resolve("../docs/operations.md"));
    String section = page.split("\n## A second controller in a cluster\n", 2)[1];
    return section.split("```yaml\n", 2)[1].split("```", 2)[0].replace(
        "deploy/base", deploy.resolve("base").toString());
  }
}
