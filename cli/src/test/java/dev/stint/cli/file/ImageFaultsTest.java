package dev.stint.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;

class ImageFaultsTest {
  @Test
  void namesTheContainerWhoseImageNoNodeCanPull() {
    ArrayNode containers = Json.array();
    containers.addObject().put("image", "busybox:1.36");
    containers.addObject().put("image", "./program");
    containers.addObject().put("name", "without");
    assertThat(ImageFaults.of(containers, "spec.containers"))
        .singleElement()
        .satisfies(fault -> {
          assertThat(fault.path()).isEqualTo("spec.containers[1].image");
          assertThat(fault.detail()).contains("\"./program\" is not the name of an image");
        });
  }

  @Test
  void findsNothingWhereThereAreNoContainers() {
    assertThat(ImageFaults.of(MissingNode.getInstance(), "spec.containers")).isEmpty();
  }
}
