package dev.stint.controllers.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The status of quotas is counted. The API here does not keep it. */
class ResourceQuotaControllerTest {
  private static final ObjectRef QUOTA = new ObjectRef(Kind.RESOURCE_QUOTA, "default", "q");

  private final TestWorld world = new TestWorld();
  private List<Kind> kinds = Kind.all();
  private final ResourceQuotaController controller =
      new ResourceQuotaController(world.api, world.eventLoop, Metrics.NONE, () -> kinds);

  @BeforeEach
  void start() {
    world.add(TestWorld.configMap("a"), "");
    world.add(TestWorld.configMap("b"), "");
    world.add(new ObjectRef(Kind.CONFIG_MAP, "other", "c"), "");
    world.add(TestWorld.pod("p"), "", "'spec': {'containers': []}");
    world.add(TestWorld.pod("ended"), "", "'spec': {}, 'status': {'phase': 'Failed'}");
    world.add(QUOTA, "", "'spec': {'hard': {'configmaps': '5', 'pods': '3'}}");
    controller.start();
    world.settle();
  }

  @Test
  void aNewQuotaIsCounted() {
    assertThat(status())
        .isEqualTo(
            "{\"hard\":{\"configmaps\":\"5\",\"pods\":\"3\"},"
                + "\"used\":{\"configmaps\":\"2\",\"pods\":\"1\"}}");
  }

  @Test
  void aChangedLimitIsCountedAnew() {
    world.api.change(QUOTA, "{'spec': {'hard': {'configmaps': '1', 'pods': null}}}");
    world.settle();
    assertThat(status())
        .isEqualTo("{\"hard\":{\"configmaps\":\"1\"},\"used\":{\"configmaps\":\"2\"}}");
  }

  @Test
  void aDriftIsFoundAfterFiveMinutes() {
    world.api.change(QUOTA, "{'status': {'used': {'configmaps': '9'}}}");
    world.settle();
    assertThat(status()).contains("\"configmaps\":\"9\"");
    world.pass(Duration.ofMinutes(5));
    assertThat(status()).contains("\"configmaps\":\"2\"");
  }

  @Test
  void objectsOfAKindThatIsServedLaterStayCounted() {
    Kind widget = new Kind("example.com", "v1", "Widget", "widgets", true);
    world.api.define(widget);
    world.add(new ObjectRef(widget, "default", "w"), "");
    kinds = Stream.concat(Kind.all().stream(), Stream.of(widget)).toList();
    world.api.change(QUOTA, "{'spec': {'hard': {'count/widgets.example.com': '5'}}}");
    world.settle();
    world.pass(Duration.ofMinutes(6));
    assertThat(status()).contains("\"count/widgets.example.com\":\"1\"");
  }

  @Test
  void aStatusThatIsRightIsNotWritten() {
    int before = world.api.requests.size();
    world.pass(Duration.ofMinutes(11));
    assertThat(world.api.requests).hasSize(before);
  }

  @Test
  void aDeletedQuotaIsAskedForNoMore() {
    world.api.remove(QUOTA, Propagation.BACKGROUND);
    world.settle();
    int before = world.api.gets;
    world.pass(Duration.ofMinutes(30));
    assertThat(world.api.gets).isEqualTo(before);
  }

  @Test
  void aQuotaWhoseDeletionIsNoticedLateIsAskedForOnceMore() {
    world.api.holdNews();
    world.api.erase(QUOTA);
    world.pass(Duration.ofMinutes(6));
    int before = world.api.gets;
    world.pass(Duration.ofMinutes(30));
    assertThat(world.api.gets).isEqualTo(before);
  }

  private String status() {
    return String.valueOf(world.see(QUOTA).status());
  }
}
