package dev.stint.apiserver.http.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodContainersTest {
  private static final KubeObject ONE = pod("'containers': [{'name': 'main'}]");
  private static final KubeObject TWO =
      pod("'containers': [{'name': 'a'}, {'name': 'b'}], 'initContainers': [{'name': 'setup'}]");

  private static KubeObject pod(String spec) {
    return PodBuilder.named("p").spec(spec).build();
  }

  @Test
  void theOnlyContainerNeedNotBeNamed() {
    assertThat(ContainerLookup.of(ONE, "")).isEqualTo("main");
  }

  @Test
  void oneOfSeveralContainersHasToBeNamed() {
    assertThatThrownBy(() -> ContainerLookup.of(TWO, ""))
        .hasMessage(
            "a container name must be specified for pod p, choose one of: [a b] or one of the init"
                + " containers: [setup]");
    assertThat(ContainerLookup.of(TWO, "b")).isEqualTo("b");
    assertThat(ContainerLookup.of(TWO, "setup")).isEqualTo("setup");
  }

  @Test
  void aContainerThatThePodDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> ContainerLookup.of(ONE, "x"))
        .hasMessage("container x is not valid for pod p");
    assertThatThrownBy(() -> ContainerLookup.kept("p", List.of("main"), "x"))
        .hasMessage("container x is not valid for pod p");
  }

  @Test
  void ofAPodThatIsGoneItIsWhatIsKeptThatCounts() {
    assertThat(ContainerLookup.kept("p", List.of("main"), "")).isEqualTo("main");
    assertThatThrownBy(() -> ContainerLookup.kept("p", List.of("a", "b"), ""))
        .hasMessage("a container name must be specified for pod p, choose one of: [a b]");
  }
}
