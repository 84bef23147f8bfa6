package dev.stint.runner.process.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnenforcedLimitsTest {
  private static final KubeObject POD =
      KubeObject.of(
          Json.parse(
              """
              {"spec": {"initContainers": [{"name": "free"}],
                "containers": [{"name": "main",
                  "resources": {"limits": {"cpu": "1", "memory": "1Gi"}}}]}}
              """));

  @TempDir Path root;

  private UnenforcedLimits limits() {
    return new UnenforcedLimits(() -> Cgroups.find(root, List.of()));
  }

  @Test
  void eachLimitThatNoGroupEnforcesIsNamed() throws Exception {
    assertThat(limits().isPossible()).isTrue();
    assertThat(limits().of(POD, "spec.template"))
        .extracting(fault -> fault.path())
        .containsExactly(
            "spec.template.spec.containers[0].resources.limits.cpu",
            "spec.template.spec.containers[0].resources.limits.memory");
    assertThat(limits().of(POD, ""))
        .allMatch(fault -> fault.toString().contains("is not enforced: "));
    Files.createDirectories(root.resolve("memory"));
    assertThat(limits().of(POD, ""))
        .extracting(fault -> fault.path())
        .containsExactly("spec.containers[0].resources.limits.cpu");
  }

  @Test
  void enforcedLimitsAreNone() throws Exception {
    Files.createDirectories(root.resolve("memory"));
    Files.createDirectories(root.resolve("cpu"));
    assertThat(limits().of(POD, "")).isEmpty();
    assertThat(limits().isPossible()).isFalse();
  }
}
