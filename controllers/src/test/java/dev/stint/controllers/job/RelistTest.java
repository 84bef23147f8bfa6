package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.Informer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelistTest {
  private static final Duration SOON = Duration.ofMillis(100);

  private final TestWorld world = new TestWorld();
  private final List<String> ended = new ArrayList<>();
  private final Informer informer =
      new Informer(world.api, Kind.POD, world.eventLoop, new Listener());
  private final Relist relist = new Relist(informer, task -> world.eventLoop.after(SOON, task));
  private int lists;

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject object) {}

    @Override
    public void onDelete(String uid, String controller) {}

    @Override
    public void onSynced() {
      lists++;
      relist.onEnd();
    }
  }

  private void request(String name) {
    var _ = relist.request().thenRun(() -> ended.add(name));
  }

  @Test
  void requestsBeforeAListBeginsAreMetByIt() {
    request("a");
    world.pass(SOON.dividedBy(2));
    request("b");
    world.pass(SOON.dividedBy(2));
    assertThat(ended).containsExactlyInAnyOrder("a", "b");
    assertThat(lists).isOne();
  }

  @Test
  void aRequestDuringAListIsMetByTheNextOne() {
    var _ = relist.begin().thenRun(() -> ended.add("a"));
    request("b");
    world.settle();
    assertThat(ended).containsExactly("a");
    world.pass(SOON);
    assertThat(ended).containsExactly("a", "b");
    assertThat(lists).isEqualTo(2);
  }

  @Test
  void aListThatBeginsBeforehandMeetsTheRequestsToo() {
    request("a");
    var _ = relist.begin();
    world.pass(SOON.multipliedBy(2));
    assertThat(ended).containsExactly("a");
    assertThat(lists).isOne();
  }

  @Test
  void aListThatIsReplacedEndsWithTheOneInItsPlace() {
    var _ = relist.begin().thenRun(() -> ended.add("a"));
    var _ = relist.begin().thenRun(() -> ended.add("b"));
    world.settle();
    assertThat(ended).containsExactly("a", "b");
    assertThat(lists).isOne();
  }
}
