package dev.stint.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.store.StoreOptions.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes, power failing at random moments, and what is found afterwards. */
class CrashTest {
  private static final int KEYS = 12;

  static List<Long> seeds() {
    return new Random(20261121).longs(100).boxed().toList();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatWasAcknowledgedIsThereAfterACrash(long seed) throws StoreException {
    Random random = new Random(seed);
    SimulatedEngine engine = new SimulatedEngine();
    Map<String, String> acknowledged = Map.of();
    long revision = 1;
    for (int life = 0; life < 8; life++) {
      World world = new World(engine, Durability.STRICT, random);
      assertThat(world.contents()).isEqualTo(acknowledged);
      assertThat(world.store.revision()).isGreaterThanOrEqualTo(revision);
      world.live();
      acknowledged = world.acknowledged;
      revision = world.store.revision();
      engine = engine.crash(random);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void withRelaxedDurabilityACrashTakesWholeBatchesFromTheEndOnly(long seed) throws StoreException {
    Random random = new Random(seed);
    SimulatedEngine engine = new SimulatedEngine();
    List<Map<String, String>> possible = List.of(Map.of());
    for (int life = 0; life < 8; life++) {
      World world = new World(engine, Durability.RELAXED, random);
      assertThat(possible).contains(world.contents());
      world.live();
      possible = world.states;
      engine = engine.crash(random);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void theDeadStoreWritesNoMore(long seed) throws StoreException {
    SimulatedEngine engine = new SimulatedEngine();
    World world = new World(engine, Durability.STRICT, new Random(seed));
    SimulatedEngine after = engine.crash(new Random(seed));
    CompletableFuture<Entry> late = world.store.put("k", new byte[0], Expectation.any());
    world.loop.runAll();
    assertThat(late).isCompletedExceptionally();
    assertThat(after.readBack(_ -> {})).isZero();
  }

  /** One life of a store, and what its callers know. */
  private static final class World {
    final ManualExecutor loop = new ManualExecutor();
    final Random random;
    final Store store;
    final Map<String, String> acknowledged;

    /** The contents after each batch. */
    final List<Map<String, String>> states = new ArrayList<>();

    World(SimulatedEngine engine, Durability durability, Random random) throws StoreException {
      this.random = random;
      store = Store.open(engine, loop, StoreOptions.defaults().with(durability));
      acknowledged = new HashMap<>(contents());
      states.add(contents());
    }

    void live() {
      int steps = random.nextInt(60);
      for (int i = 0; i < steps; i++) {
        if (random.nextInt(4) == 0) {
          loop.step();
          states.add(contents());
        } else {
          write();
        }
      }
    }

    private void write() {
      String key = "k" + random.nextInt(KEYS);
      String value = Long.toHexString(random.nextLong());
      if (random.nextInt(3) == 0) {
        store.delete(key, expectation()).thenRun(() -> acknowledged.remove(key));
      } else {
        store
            .put(key, value.getBytes(UTF_8), expectation())
            .thenRun(() -> acknowledged.put(key, value));
      }
    }

    private Expectation expectation() {
      return switch (random.nextInt(3)) {
        case 0 -> Expectation.absent();
        case 1 -> Expectation.revision(Math.max(1, store.revision() - random.nextInt(KEYS)));
        default -> Expectation.any();
      };
    }

    Map<String, String> contents() {
      return store.list("").entries().stream()
          .collect(Collectors.toMap(Entry::key, entry -> new String(entry.value(), UTF_8)));
    }
  }
}
