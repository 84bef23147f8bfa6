package dev.stint.runner.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.harness.TestTime;
import dev.stint.model.Json;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemSource;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ItemCacheTest {
  private static final ItemSource LIST = new ItemSource("v", "list");

  private final TestTime time = new TestTime();
  private final FakeCluster cluster = new FakeCluster(Runnable::run, time);
  private final ItemCache cache = new ItemCache(cluster, time);

  /** Adds a list of parts with two lines each. */
  private void add(int parts) {
    StringBuilder starts = new StringBuilder();
    for (int part = 0; part < parts; part++) {
      starts.append(2 * part).append(' ');
    }
    for (int part = 0; part < parts; part++) {
      ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
      map.putObject("metadata").put("name", LIST.map(part)).put("namespace", "default");
      ObjectNode data = map.putObject("data");
      data.put("lines-" + part, "item %d\nitem %d\n".formatted(2 * part, 2 * part + 1));
      if (part == 0) {
        data.put("starts", starts.toString());
      }
      cluster.add(map);
    }
  }

  private Optional<Item> find(int index) {
    return cache.find("default", LIST, index).toCompletableFuture().join();
  }

  @Test
  void aPartIsReadOnceForAllItsLines() {
    add(3);
    for (int i = 0; i < 6; i++) {
      assertThat(find(i)).contains(new Item(i, "item " + i, null));
    }
    assertThat(cluster.gets).isEqualTo(3);
    assertThat(find(6)).isEmpty();
  }

  @Test
  void fewPartsAreKept() {
    add(100);
    for (int i = 0; i < 200; i++) {
      find(i);
    }
    assertThat(cluster.gets).isEqualTo(100);
    find(2);
    assertThat(cluster.gets).isEqualTo(101);
  }

  @Test
  void aPartIsReadAgainAfterAMoment() {
    add(1);
    find(0);
    time.advance(Duration.ofMinutes(1));
    find(0);
    assertThat(cluster.gets).isEqualTo(2);
  }

  @Test
  void aListThatIsMissingIsAskedForAgain() {
    assertThat(cache.find("default", LIST, 0).toCompletableFuture()).isCompletedExceptionally();
    add(1);
    assertThat(find(0)).isPresent();
  }
}
