package dev.stint.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cli.output.UserException;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class ContainerChoiceTest {
  private static KubeObject pod(String annotation) {
    String text =
        "{'metadata':{'name':'p','annotations':{'kubectl.kubernetes.io/default-container':'%s'}},"
            + "'spec':{'containers':[{'name':'main'},{'name':'side'}],"
            + "'initContainers':[{'name':'init'}]}}";
    return KubeObject.of(Json.parse(text.formatted(annotation).replace('\'', '"')));
  }

  @Test
  void aNameCountsMoreThanTheAnnotationAndThatMoreThanTheOrder() {
    assertThat(ContainerChoice.of(pod("side"), "init")).isEqualTo("init");
    assertThat(ContainerChoice.of(pod("side"), null)).isEqualTo("side");
    assertThat(ContainerChoice.of(pod("gone"), null)).isEqualTo("main");
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatThereAre() {
    assertThatExceptionOfType(UserException.class)
        .isThrownBy(() -> ContainerChoice.of(pod(""), "other"))
        .withMessage("the pod p has no container \"other\"; it has: main, side, init");
  }
}
