package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.runner.volume.HostPaths;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ReplaceablePathsTest {
  private static final HostPaths ALLOWED = new HostPaths(List.of(Path.of("/srv/data")));

  @Test
  void aHostPathBelowAnAllowedOneIsRefused() {
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/data\"}}", "{}")).isEmpty();
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/data/in\"}}", "{}"))
        .containsExactly("spec.volumes[0].hostPath.path");
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/data\"}}", "{\"subPath\": \"a\"}"))
        .containsExactly("spec.containers[0].volumeMounts[0].subPath");
  }

  @Test
  void aPartIsRefusedIfAnotherMountHoldsADirectoryAboveIt() {
    assertThat(parts("{\"subPath\": \"a\"}")).isEmpty();
    assertThat(parts("{\"subPath\": \"a\"}", "{\"subPath\": \"b\"}")).isEmpty();
    assertThat(parts("{\"subPath\": \"a\"}", "{\"subPath\": \"a\"}")).isEmpty();
    assertThat(parts("{\"subPath\": \"a\"}", "{\"readOnly\": true}")).isEmpty();
    assertThat(parts("{\"subPath\": \"a\"}", "{}"))
        .containsExactly("spec.containers[0].volumeMounts[0].subPath");
    assertThat(parts("{\"subPath\": \"a\"}", "{\"subPath\": \"a/b\"}"))
        .containsExactly("spec.containers[0].volumeMounts[1].subPath");
  }

  @Test
  void anExpressionIsRefusedBesideAnyOtherMountThatWrites() {
    assertThat(parts("{\"subPathExpr\": \"$(A)\"}")).isEmpty();
    assertThat(parts("{\"subPathExpr\": \"$(A)\"}", "{\"subPath\": \"b\", \"readOnly\": true}"))
        .containsExactly("spec.containers[0].volumeMounts[1].subPath");
    assertThat(parts("{\"subPathExpr\": \"$(A)\"}", "{\"subPath\": \"b\"}"))
        .containsExactly(
            "spec.containers[0].volumeMounts[0].subPathExpr",
            "spec.containers[0].volumeMounts[1].subPath");
  }

  @Test
  void filesOfOtherObjectsAreReadOnly() {
    assertThat(refused("{\"configMap\": {\"name\": \"c\"}}", "{\"subPath\": \"a\"}", "{}"))
        .isEmpty();
  }

  private static List<String> parts(String... mounts) {
    return refused("{\"emptyDir\": {}}", mounts);
  }

  private static List<String> refused(String volume, String... mounts) {
    String spec =
        "{\"volumes\": [%s], \"containers\": [{\"volumeMounts\": [%s]}]}"
            .formatted(volume, String.join(",", mounts));
    var tree = Json.parse(spec);
    ((ObjectNode) tree.at("/volumes/0")).put("name", "v");
    tree.at("/containers/0/volumeMounts").forEach(each -> ((ObjectNode) each).put("name", "v"));
    return ReplaceablePaths.of(tree, "spec", ALLOWED).stream().map(FieldError::path).toList();
  }
}
