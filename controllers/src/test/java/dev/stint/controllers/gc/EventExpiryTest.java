package dev.stint.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.harness.FakeRequest;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventExpiryTest {
  private final TestWorld world = new TestWorld();
  private final EventExpiry expiry =
      new EventExpiry(world.api, world.eventLoop, EventExpiry.DEFAULT_TIME_TO_LIVE);

  private void add(String name, String members) {
    world.add(new ObjectRef(Kind.EVENT, "default", name), "", members);
  }

  @Test
  void eventsAreDeletedAnHourAfterTheirLastOccurrence() {
    add("old", "'lastTimestamp': '2026-01-31T10:30:00Z'");
    add("untold", "");
    add("counted", "'lastTimestamp': '2026-01-31T12:30:00Z'");
    add("new", "'eventTime': '2026-01-31T12:30:00.000001Z'");
    add("series", "'series': {'lastObservedTime': '2026-01-31T12:30:00.000001Z'}");
    expiry.start();
    world.pass(Duration.ofMinutes(59));
    assertThat(world.api.peekAll(Kind.EVENT)).hasSize(5);
    world.pass(Duration.ofMinutes(8));
    assertThat(world.api.peekAll(Kind.EVENT))
        .extracting(KubeObject::name)
        .containsExactlyInAnyOrder("counted", "new", "series");
    world.pass(Duration.ofMinutes(40));
    assertThat(world.api.peekAll(Kind.EVENT)).isEmpty();
  }

  @Test
  void aShorterTimeToLiveIsLookedAtMoreOften() {
    EventExpiry shorter = new EventExpiry(world.api, world.eventLoop, Duration.ofMinutes(2));
    add("old", "");
    shorter.start();
    world.pass(Duration.ofMinutes(2));
    assertThat(world.api.peekAll(Kind.EVENT)).hasSize(1);
    world.pass(Duration.ofMinutes(2));
    assertThat(world.api.peekAll(Kind.EVENT)).isEmpty();
  }

  @Test
  void failedDeletionsOfEventsAreRetried() {
    add("old", "");
    world.api.before(Fault.unavailable(FakeRequest::isWrite));
    expiry.start();
    world.pass(Duration.ofMinutes(70));
    assertThat(world.api.peekAll(Kind.EVENT)).hasSize(1);
    world.api.heal();
    world.pass(Duration.ofMinutes(6));
    assertThat(world.api.peekAll(Kind.EVENT)).isEmpty();
  }

  /** An API that delivers its events in parts of one, each as soon as the one before is done. */
  private final class Parts extends ForwardingCluster {
    private int parts;
    private int doneAtOnce;

    Parts() {
      super(world.api);
    }

    @Override
    public CompletableFuture<String> list(
        Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
      return world.api.list(kind, namespace).thenCompose(all -> next(all.items(), each));
    }

    private CompletableFuture<String> next(
        List<KubeObject> left, Function<ObjectList, CompletableFuture<?>> each) {
      if (left.isEmpty()) {
        return CompletableFuture.completedFuture("1");
      }
      CompletableFuture<?> taken = each.apply(new ObjectList(left.subList(0, 1), "1"));
      parts++;
      doneAtOnce += taken.isDone() ? 1 : 0;
      return taken.thenCompose(_ -> next(left.subList(1, left.size()), each));
    }
  }

  /** The loop has other work, too. */
  @Test
  void eachPartOfTheListIsLookedAtInATaskOfItsOwn() {
    Parts api = new Parts();
    for (int i = 0; i < 5; i++) {
      add("new" + i, "");
    }
    new EventExpiry(api, world.eventLoop, EventExpiry.DEFAULT_TIME_TO_LIVE).start();
    world.pass(Duration.ofMinutes(2));
    assertThat(api.parts).isEqualTo(5);
    assertThat(api.doneAtOnce).isZero();
  }

  @Test
  void nothingIsDoneAfterTheEnd() {
    add("old", "");
    expiry.start();
    expiry.close();
    world.pass(Duration.ofHours(2));
    assertThat(world.api.peekAll(Kind.EVENT)).hasSize(1);
    assertThat(world.time.armed()).isZero();
  }
}
