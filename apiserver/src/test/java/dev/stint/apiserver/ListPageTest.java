package dev.stint.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListPageTest {
  private static final int LENGTH = ListPage.HELD_BYTES / 4;

  private static Entry entry(int number) {
    String start = World.configMapJson("c" + number, "").replace('\'', '"');
    String text = start + " ".repeat(LENGTH - start.length());
    return new Entry("/configmaps/default/c" + number, text.getBytes(UTF_8), number, number);
  }

  private static ListPage page(int count) {
    ListQuery all = new ListQuery(Kind.CONFIG_MAP, null, null, _ -> true, 0, null, null);
    Snapshot snapshot =
        new Snapshot(IntStream.range(1, 1 + count).mapToObj(i -> entry(i)).toList(), 9);
    return ListPage.of(all, snapshot, new SharedObjects(8));
  }

  private static boolean isHeld(ListPage.Item item) {
    KubeObject once = item.object();
    return item.object() == once;
  }

  @Test
  void aShortPageHoldsItsObjects() {
    assertThat(page(4).items()).hasSize(4).allMatch(ListPageTest::isHeld);
  }

  @Test
  void aLongPageHoldsNone() {
    ListPage page = page(6);
    assertThat(page.length()).isEqualTo(6 * LENGTH);
    assertThat(page.items()).hasSize(6).noneMatch(ListPageTest::isHeld);
    assertThat(page.items().getFirst().object().tree().at("/metadata/name").asString())
        .isEqualTo("c1");
  }

  @Test
  void aPageCanLetGoOfItsObjects() {
    ListPage page = page(2).withoutObjects();
    assertThat(page.items()).hasSize(2).noneMatch(ListPageTest::isHeld);
    assertThat(page.revision()).isEqualTo(9);
  }
}
