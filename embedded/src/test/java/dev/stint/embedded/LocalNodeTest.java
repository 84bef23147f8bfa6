package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.runner.spec.ResourceAmount;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LocalNodeTest {
  private static final ObjectRef NODE = new ObjectRef(Kind.NODE, "", "here");

  private final TestWorld world = new TestWorld();

  private JsonNode register(Map<String, Long> devices) {
    ResourceAmount shared = new ResourceAmount(1000, 1 << 20).withDevices(devices);
    world.answer(new LocalNode(world.api, world.time, "here", 1, shared, null).register());
    return world.see(NODE).tree().path("status");
  }

  @Test
  void devicesThatAreGoneDoNotStay() {
    world.api.define(Kind.NODE);
    register(Map.of("example.com/license", 4L, "example.com/gpu", 2L));
    JsonNode status = register(Map.of("example.com/gpu", 1L));
    for (String amounts : new String[] {"capacity", "allocatable"}) {
      assertThat(status.path(amounts).propertyNames())
          .containsExactlyInAnyOrder("cpu", "memory", "pods", "example.com/gpu");
      assertThat(status.path(amounts).path("example.com/gpu").asString("")).isEqualTo("1");
    }
  }
}
