package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadItemsTest {
  private final List<Runnable> forgotten = new ArrayList<>();

  private record Item(String name) implements ListPage.Item {
    @Override
    public KubeObject object() {
      return KubeObject.of(Json.object().put("kind", name));
    }

    @Override
    public int length() {
      return name.length();
    }

    @Override
    public ListPage.Item lettingGo() {
      return new Item("let go");
    }
  }

  private UnreadItems items() {
    List<ListPage.Item> items = List.of(new Item("a"), new Item("bb"), new Item("ccc"));
    return new UnreadItems(new ListPage(items, 7, null, 0, this::onForgotten));
  }

  private Runnable onForgotten(long revision, Runnable task) {
    assertThat(revision).isEqualTo(7);
    forgotten.add(task);
    return () -> forgotten.remove(task);
  }

  @Test
  void itemsAreThoseOfThePage() {
    UnreadItems items = items();
    assertThat(items.size()).isEqualTo(3);
    assertThat(items.length(1)).isEqualTo(2);
    assertThat(items.length(1, 3)).isEqualTo(5);
    assertThat(items.object(2).kindName()).isEqualTo("ccc");
    assertThat(items.objects(0, 2)).extracting(KubeObject::kindName).containsExactly("a", "bb");
    assertThat(items.memory()).isEqualTo(120);
  }

  @Test
  void valuesAreHeldUntilTheLogHasGoneOn() {
    UnreadItems items = items();
    assertThat(forgotten).isEmpty();
    Runnable unfollow = items.follow();
    assertThat(items.object(0).kindName()).isEqualTo("a");
    forgotten.getFirst().run();
    assertThat(items.objects(0, 3)).extracting(KubeObject::kindName).containsOnly("let go");
    unfollow.run();
    assertThat(forgotten).isEmpty();
  }

  /** A log that is at revision 100, and may be replaced as a whole once more. */
  private final class LongLog implements ListPage.Log {
    private final List<Long> revisions = new ArrayList<>();

    @Override
    public Runnable onForgotten(long revision, Runnable task) {
      revisions.add(revision);
      forgotten.add(task);
      return () -> forgotten.remove(task);
    }

    @Override
    public long newest() {
      return 100;
    }

    @Override
    public int generations() {
      return 1;
    }
  }

  @Test
  void valuesAreHeldForLongerIfThereIsMemoryForThat() {
    LongLog log = new LongLog();
    UnreadItems items = new UnreadItems(new ListPage(List.of(new Item("a")), 7, null, 0, log));
    Runnable unfollow = items.follow();
    forgotten.removeFirst().run();
    assertThat(items.object(0).kindName()).isEqualTo("a");
    assertThat(log.revisions).containsExactly(7L, 100L);
    forgotten.removeFirst().run();
    assertThat(items.object(0).kindName()).isEqualTo("let go");
    assertThat(forgotten).isEmpty();
    unfollow.run();
  }

  @Test
  void aListThatHasEndedFollowsTheLogNoLonger() {
    LongLog log = new LongLog();
    UnreadItems items = new UnreadItems(new ListPage(List.of(new Item("a")), 7, null, 0, log));
    Runnable unfollow = items.follow();
    Runnable underWay = forgotten.getFirst();
    unfollow.run();
    underWay.run();
    assertThat(forgotten).isEmpty();
  }

  @Test
  void anEighthOfTheHeapIsForWhatListsHold() {
    assertThat(StoreLog.generations(512L << 20, 64L << 20)).isEqualTo(1);
    assertThat(StoreLog.generations(6L << 30, 64L << 20)).isEqualTo(12);
    assertThat(StoreLog.generations(6L << 30, 0)).isZero();
  }
}
