package dev.stint.runner.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.runner.volume.ClaimDirs;
import dev.stint.runner.volume.HostPaths;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ReplaceablePathsTest {
  private static final HostPaths ALLOWED =
      new HostPaths(
          List.of(Path.of("/srv/data")),
          new ClaimDirs(
              Map.of(
                  "free",
                  Path.of("/srv/free"),
                  "team/free",
                  Path.of("/srv/data/claim"),
                  "inner",
                  Path.of("/srv/free/inner")),
              Path.of("volumes")));

  @Test
  void aHostPathBelowAnAllowedOneIsRefused() {
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/data\"}}", "{}")).isEmpty();
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/data/in\"}}", "{}"))
        .containsExactly("spec.volumes[0].hostPath.path");
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/data\"}}", "{\"subPath\": \"a\"}"))
        .containsExactly("spec.containers[0].volumeMounts[0].subPath");
  }

  @Test
  void aClaimWithinAnotherVolumeIsRefused() {
    assertThat(refused("default", claim("ours"), List.of("{}"))).isEmpty();
    assertThat(refused("default", claim("free"), List.of("{}"))).isEmpty();
    for (List<String> each : List.of(List.of("team", "free"), List.of("default", "inner"))) {
      assertThat(refused(each.getFirst(), claim(each.getLast()), List.of("{}")))
          .as(each.toString())
          .containsExactly("spec.volumes[0].persistentVolumeClaim.claimName");
    }
    assertThat(refused("{\"hostPath\": {\"path\": \"/srv/free/in\"}}", "{}"))
        .containsExactly("spec.volumes[0].hostPath.path");
  }

  private static String claim(String name) {
    return "{\"persistentVolumeClaim\": {\"claimName\": \"" + name + "\"}}";
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
    return refused("default", volume, List.of(mounts));
  }

  private static List<String> refused(String namespace, String volume, List<String> mounts) {
    String spec =
        "{\"volumes\": [%s], \"containers\": [{\"volumeMounts\": [%s]}]}"
            .formatted(volume, String.join(",", mounts));
    var tree = Json.parse(spec);
    ((ObjectNode) tree.at("/volumes/0")).put("name", "v");
    tree.at("/containers/0/volumeMounts").forEach(each -> ((ObjectNode) each).put("name", "v"));
    return ReplaceablePaths.of(tree, namespace, "spec", ALLOWED).stream()
        .map(FieldError::path)
        .toList();
  }
}
