package dev.stint.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.store.Entry;
import org.junit.jupiter.api.Test;

class SharedObjectsTest {
  private static final long HEAP = 64 << 20;

  private final SharedObjects objects = new SharedObjects(256, HEAP);

  /** A document of many short values takes many times its text once it is parsed. */
  @Test
  void objectsOfManyShortValuesTakeAPartOfTheHeapOnly() {
    byte[] text = ("{\"env\":[" + "{\"name\":\"a\"},".repeat(4000) + "{}]}").getBytes(UTF_8);
    for (int revision = 1; revision <= 300; revision++) {
      objects.of(new Entry("k" + revision, text, revision, revision));
    }
    long kept = objects.weight() / TreeWeight.of(text, 1);
    assertThat(kept).isPositive();
    assertThat(kept * 20 * text.length).isLessThan(HEAP / 2);
  }

  @Test
  void anObjectThatWasReadIsSharedAndALongOneIsNot() {
    Entry small = new Entry("small", "{\"a\":1}".getBytes(UTF_8), 1, 1);
    assertThat(objects.of(small)).isSameAs(objects.of(small));
    String string = "x".repeat(70_000);
    Entry large = new Entry("large", ("{\"a\":\"" + string + "\"}").getBytes(UTF_8), 2, 2);
    assertThat(objects.of(large)).isNotSameAs(objects.of(large));
  }
}
