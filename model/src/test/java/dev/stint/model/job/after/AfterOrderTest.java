package dev.stint.model.job.after;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AfterOrderTest {
  /** Returns Jobs of texts such as {@code b:a,c}: b starts after a and c. */
  private static List<KubeObject> jobs(String... texts) {
    return Arrays.stream(texts)
        .map(text -> {
          String[] parts = text.split(":", 2);
          String after =
              parts.length == 1 ? "" : "'annotations':{'stint.dev/after':'" + parts[1] + "'},";
          String json = "{'metadata':{" + after + "'name':'" + parts[0] + "'}}";
          return KubeObject.of(Json.parse(json.replace('\'', '"')));
        })
        .toList();
  }

  @Test
  void predecessorsComeFirst() {
    AfterOrder order = AfterOrder.of(jobs("d:b,c", "b:a", "c:a,elsewhere", "a"));
    assertThat(order.sorted()).containsExactly(3, 1, 2, 0);
    assertThat(order.cycle()).isEmpty();
  }

  @Test
  void aCycleIsFound() {
    AfterOrder order = AfterOrder.of(jobs("z:c", "b:a", "a:c", "c:b", "free"));
    assertThat(order.sorted()).containsExactly(4);
    assertThat(order.cycle()).containsExactly(1, 2, 3);
    assertThat(AfterOrder.of(jobs("a:a")).cycle()).containsExactly(0);
  }
}
