package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The chart renders the manifests of {@code deploy/base}, apart from its values. */
class ChartTest {
  private static final Path DEPLOY = Path.of("../deploy").toAbsolutePath().normalize();
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
}
