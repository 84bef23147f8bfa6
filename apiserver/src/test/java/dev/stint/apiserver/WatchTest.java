package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.harness.PodBuilder;
import dev.stint.model.FeatureGates;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.SimulatedEngine;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WatchTest {
  private final World world = new World();

  @Test
  void aWatchReportsWhatHappensInOrder() {
    World.Seen seen = new World.Seen();
    world.api.watch(Kind.CONFIG_MAP, null, "1", seen);
    KubeObject map = world.create(World.configMapJson("a", ""));
    world.create(World.configMapJson("b", ""));
    world.patch(World.configMap("a"), "{'data': {'k': 'w'}}");
    world.answer(world.api.delete(World.configMap("a"), DeleteOptions.only(map.uid())));
    assertThat(seen.lines()).containsExactly("ADDED a", "ADDED b", "MODIFIED a", "DELETED a");
    assertThat(seen.events)
        .extracting(event -> event.object().resourceVersion())
        .containsExactly("2", "3", "4", "5");
    assertThat(seen.closed).isFalse();
  }

  @Test
  void aWatchSeesItsKindAndNamespaceOnly() {
    World.Seen all = new World.Seen();
    World.Seen team = new World.Seen();
    world.api.watch(Kind.CONFIG_MAP, null, "1", all);
    world.api.watch(Kind.CONFIG_MAP, "team", "1", team);
    world.create(World.configMapJson("a", ""));
    world.create(World.configMapJson("b", ", 'namespace': 'team'"));
    world.create(World.configMapJson("c", ", 'namespace': 'team-2'"));
    world.create(PodBuilder.named("p"));
    assertThat(all.lines()).containsExactly("ADDED a", "ADDED b", "ADDED c");
    assertThat(team.lines()).containsExactly("ADDED b");
    assertThat(names(world.answer(world.api.list(Kind.CONFIG_MAP, "team")))).containsExactly("b");
    assertThat(names(world.answer(world.api.list(Kind.CONFIG_MAP, null))))
        .containsExactlyInAnyOrder("a", "b", "c");
  }

  /** A client that does not read would hold all of them, in each of its watches. */
  @Test
  void aWatchOfAClientIsGivenAFewLargeObjectsAtATime() {
    String large = "x".repeat(30_000);
    for (int i = 0; i < 5; i++) {
      world.create(World.configMapJson("m" + i, ", 'annotations': {'a': '" + large + "'}"));
    }
    List<Integer> given = new ArrayList<>();
    WatchHandler handler =
        new WatchHandler() {
          @Override
          public void onEvent(WatchEvent event) {
            given.add(1);
          }

          @Override
          public void onEvents(List<WatchEvent> batch) {
            given.add(batch.size());
          }

          @Override
          public void onClosed(@Nullable ClusterException cause) {
            given.add(-1);
          }
        };
    ((ApiServer) world.api).watches().watch(Kind.CONFIG_MAP, null, 1, _ -> true, world, handler);
    world.settle();
    assertThat(given).containsExactly(2, 2, 1);
    given.clear();
    world.api.watch(Kind.CONFIG_MAP, null, "1", handler);
    world.settle();
    assertThat(given).as("a controller of this process").containsExactly(5);
  }

  @Test
  void aWatchGoesOnFromTheRevisionOfAList() {
    world.create(World.configMapJson("a", ""));
    ObjectList list = world.answer(world.api.list(Kind.CONFIG_MAP, null));
    world.create(World.configMapJson("b", ""));
    World.Seen seen = new World.Seen();
    world.api.watch(Kind.CONFIG_MAP, null, list.resourceVersion(), seen);
    world.settle();
    assertThat(seen.lines()).containsExactly("ADDED b");
  }

  @Test
  void theAnswerTheWatchersAndTheNextReaderShareOneObject() {
    World.Seen one = new World.Seen();
    World.Seen other = new World.Seen();
    world.api.watch(Kind.POD, null, "1", one);
    world.api.watch(Kind.POD, "default", "1", other);
    KubeObject created = world.create(PodBuilder.named("p"));
    assertThat(one.events.get(0).object()).isSameAs(created);
    assertThat(other.events.get(0).object()).isSameAs(created);
    assertThat(world.get(World.pod("p"))).isSameAs(created);
    world.answer(world.api.delete(World.pod("p"), DeleteOptions.only(created.uid())));
    assertThat(one.events.get(1).object()).isSameAs(other.events.get(1).object());
  }

  @Test
  void aWatchFromTooLongAgoIsGone() {
    World small =
        new World(
            ApiServer.Options.defaults(),
            new StoreOptions(2, 1 << 20, StoreOptions.Durability.STRICT),
            FeatureGates.DEFAULT);
    for (int i = 0; i < 4; i++) {
      small.create(World.configMapJson("m" + i, ""));
    }
    World.Seen seen = new World.Seen();
    small.api.watch(Kind.CONFIG_MAP, null, "2", seen);
    assertThat(seen.closed).as("not told within the call").isFalse();
    small.settle();
    assertThat(seen.closed).isTrue();
    assertThat(seen.cause).isNotNull();
    assertThat(seen.cause.reason()).isEqualTo(Reason.GONE);
    assertThat(seen.cause).hasMessage("too old resource version: 2");
  }

  @Test
  void aWatchThatFallsBehindIsGone() {
    World small =
        new World(
            ApiServer.Options.defaults(),
            new StoreOptions(2, 1 << 20, StoreOptions.Durability.STRICT),
            FeatureGates.DEFAULT);
    World.Seen seen = new World.Seen();
    small.api.watch(Kind.CONFIG_MAP, null, "1", seen);
    List<CompletableFuture<KubeObject>> writes =
        IntStream.range(0, 5)
            .mapToObj(i -> small.api.create(World.document(World.configMapJson("m" + i, ""))))
            .toList();
    writes.forEach(small::answer);
    assertThat(seen.events).isEmpty();
    assertThat(seen.cause).isNotNull();
    assertThat(seen.cause.reason()).isEqualTo(Reason.GONE);
  }

  @Test
  void aRevisionThatIsNoNumberEndsTheWatch() {
    World.Seen seen = new World.Seen();
    world.api.watch(Kind.CONFIG_MAP, null, "soon", seen);
    world.settle();
    assertThat(seen.cause).isNotNull();
    assertThat(seen.cause.reason()).isEqualTo(Reason.BAD_REQUEST);
  }

  @Test
  void aClosedWatchReportsNothing() {
    World.Seen seen = new World.Seen();
    Watch watch = world.api.watch(Kind.CONFIG_MAP, null, "1", seen);
    var write = world.api.create(World.document(World.configMapJson("a", "")));
    watch.close();
    world.answer(write);
    assertThat(seen.events).isEmpty();
    assertThat(seen.closed).isFalse();
  }

  @Test
  void aListAndItsWatchMissNothingWhateverIsWrittenMeanwhile() throws Exception {
    int writers = 4;
    int each = 150;
    try (ExecutorService loop = Executors.newSingleThreadExecutor();
        ExecutorService delivery = Executors.newSingleThreadExecutor();
        ExecutorService clients = Executors.newFixedThreadPool(writers);
        Store store = Store.open(new SimulatedEngine(), loop, StoreOptions.defaults())) {
      ApiServer api =
          new ApiServer(
              store,
              delivery,
              InstantSource.system(),
              new SplittableRandom(7),
              FeatureGates.DEFAULT,
              ApiServer.Options.defaults());
      CountDownLatch begun = new CountDownLatch(writers);
      List<CompletableFuture<Void>> done =
          IntStream.range(0, writers)
              .mapToObj(writer ->
                  CompletableFuture.runAsync(() -> write(api, writer, each, begun), clients))
              .toList();
      begun.await();
      ObjectList list = api.list(Kind.CONFIG_MAP, null).join();
      Map<String, String> known = new HashMap<>();
      list.items().forEach(item -> known.put(item.name(), item.resourceVersion()));
      World.Seen seen = new World.Seen();
      CompletableFuture<@Nullable Void> sawLast = seen.when("ADDED last");
      Watch watch = api.watch(Kind.CONFIG_MAP, null, list.resourceVersion(), seen);
      done.forEach(CompletableFuture::join);
      KubeObject last = api.create(World.document(World.configMapJson("last", ""))).join();
      sawLast.join();
      watch.close();
      assertThat(seen.events)
          .extracting(event -> Long.parseLong(event.object().resourceVersion()))
          .isSorted()
          .doesNotHaveDuplicates()
          .endsWith(Long.parseLong(last.resourceVersion()))
          .first()
          .isEqualTo(Long.parseLong(list.resourceVersion()) + 1);
      seen.events.forEach(event -> apply(known, event));
      Map<String, String> now = new HashMap<>();
      api.list(Kind.CONFIG_MAP, null)
          .join()
          .items()
          .forEach(item -> now.put(item.name(), item.resourceVersion()));
      assertThat(known).isEqualTo(now).hasSizeGreaterThan(1);
    }
  }

  private static void write(ApiServer api, int writer, int each, CountDownLatch begun) {
    for (int i = 0; i < each; i++) {
      String name = "m" + writer + "-" + i;
      KubeObject map = api.create(World.document(World.configMapJson(name, ""))).join();
      if (i == 0) {
        begun.countDown();
      }
      api.patch(map.ref(), World.tree("{'data': {'k': 'w'}}")).join();
      if (i % 2 == 0) {
        api.delete(map.ref(), DeleteOptions.only(map.uid())).join();
      }
    }
  }

  private static void apply(Map<String, String> known, WatchEvent event) {
    if (event.type() == WatchEvent.Type.DELETED) {
      known.remove(event.object().name());
    } else {
      known.put(event.object().name(), event.object().resourceVersion());
    }
  }

  private static List<String> names(ObjectList list) {
    return list.items().stream().map(KubeObject::name).toList();
  }
}
