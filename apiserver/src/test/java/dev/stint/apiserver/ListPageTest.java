package dev.stint.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.Entry;
import dev.stint.store.Snapshot;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ListPageTest {
  private static final int LENGTH = ListPage.HELD_BYTES / 4;

  private static Entry entry(int number) {
    String start = World.configMapJson("c" + number, "").replace('\'', '"');
    String text = start + " ".repeat(LENGTH - start.length());
    return new Entry("/configmaps/default/c" + number, text.getBytes(UTF_8), number, number);
  }

  private static List<Entry> entries(int count) {
    return IntStream.range(1, 1 + count).mapToObj(i -> entry(i)).toList();
  }

  private static ListPage page(List<Entry> entries) {
    ListQuery all = new ListQuery(Kind.CONFIG_MAP, null, null, _ -> true, 0, null, null);
    return ListPage.of(all, new Snapshot(entries, 9), new SharedObjects(8), (_, _) -> () -> {});
  }

  private static ListPage page(int count) {
    return page(entries(count));
  }

  private static boolean isHeld(ListPage.Item item) {
    KubeObject once = item.object();
    return item.object() == once;
  }

  private static String name(ListPage.Item item) {
    return item.object().tree().at("/metadata/name").asString();
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
    assertThat(name(page.items().getFirst())).isEqualTo("c1");
  }

  @Test
  void aPageCanLetGoOfItsObjects() {
    ListPage page = page(2).withoutObjects();
    assertThat(page.items()).hasSize(2).noneMatch(ListPageTest::isHeld);
    assertThat(page.revision()).isEqualTo(9);
  }

  @Test
  void anItemCanLetGoOfAValueThatTheStoreHasLetGo() {
    List<Entry> stored = new ArrayList<>(entries(6));
    List<ListPage.Item> items =
        page(stored).items().stream().map(ListPage.Item::lettingGo).toList();
    WeakReference<Entry> replaced = new WeakReference<>(stored.remove(3));
    while (replaced.get() != null) {
      System.gc();
    }
    assertThatThrownBy(() -> items.get(3).object())
        .isInstanceOfSatisfying(
            ClusterException.class,
            gone -> assertThat(gone.reason()).isEqualTo(ClusterException.Reason.GONE));
    assertThat(items).allMatch(item -> item.length() == LENGTH);
    assertThat(name(items.get(2))).isEqualTo("c3");
    assertThat(name(items.get(4))).isEqualTo("c5");
    assertThat(stored).hasSize(5);
  }
}
