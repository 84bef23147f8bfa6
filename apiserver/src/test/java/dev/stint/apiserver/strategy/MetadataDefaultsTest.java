package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class MetadataDefaultsTest {
  private record Counted(int value, AtomicLong comparisons) {
    @Override
    public boolean equals(Object other) {
      comparisons.incrementAndGet();
      return other instanceof Counted that && that.value == value;
    }

    @Override
    public int hashCode() {
      return value;
    }
  }

  @Test
  void anObjectThatIsBeingDeletedGetsNoMoreFinalizers() {
    ObjectNode before = deleting("'a', 'b'");
    assertThat(MetadataDefaults.finalizersAdded(before, deleting("'b'"))).isEmpty();
    assertThat(MetadataDefaults.finalizersAdded(before, deleting("'c', 'a', 'd'")))
        .extracting(FieldError::detail)
        .containsExactly("cannot be added to an object that is being deleted: [c, d]");
  }

  /** Anybody may write an object with very many finalizers, and delete it. */
  @Test
  void eachFinalizerIsLookedUpOnce() {
    AtomicLong comparisons = new AtomicLong();
    assertThat(MetadataDefaults.added(many(comparisons), many(comparisons))).isEmpty();
    assertThat(comparisons.get()).isLessThan(20_000);
  }

  private static List<Counted> many(AtomicLong comparisons) {
    return IntStream.range(0, 10_000).mapToObj(i -> new Counted(i, comparisons)).toList();
  }

  private static ObjectNode deleting(String finalizers) {
    return Json.parse(
        ("{'metadata': {'deletionTimestamp': '2026-01-31T12:00:00Z', 'finalizers': ["
                + finalizers
                + "]}}")
            .replace('\'', '"'));
  }
}
