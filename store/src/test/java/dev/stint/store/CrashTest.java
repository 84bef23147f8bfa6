package dev.stint.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.store.StoreOptions.Durability;
import dev.stint.store.engine.SimulatedEngine;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes, power failures at random moments, and the contents afterwards. */
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
    SortedMap<Long, Map<String, String>> possible = new TreeMap<>(Map.of(1L, Map.of()));
    for (int life = 0; life < 8; life++) {
      World world = new World(engine, Durability.STRICT, random);
      assertThat(possible).containsEntry(world.store.revision(), world.contents());
      world.live();
      possible = world.states.tailMap(world.told);
      engine = engine.crash(random);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void withRelaxedDurabilityACrashTakesWholeBatchesFromTheEndOnly(long seed) throws StoreException {
    Random random = new Random(seed);
    SimulatedEngine engine = new SimulatedEngine();
    SortedMap<Long, Map<String, String>> possible = new TreeMap<>(Map.of(1L, Map.of()));
    for (int life = 0; life < 8; life++) {
      World world = new World(engine, Durability.RELAXED, random);
      assertThat(possible).containsValue(world.contents());
      assertThat(world.store.revision())
          .as("no revision that anybody saw is used again")
          .isGreaterThanOrEqualTo(possible.lastKey());
      world.live();
      possible = world.states;
      engine = engine.crash(random);
    }
  }

  /** The process is killed, so that the system has what was not synced; then come two crashes. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatWasAcknowledgedOrShownIsThereAfterACrashInARecovery(long seed) throws StoreException {
    Random random = new Random(seed);
    SimulatedEngine engine = new SimulatedEngine();
    for (int life = 0; life < 8; life++) {
      World world = new World(engine, Durability.STRICT, random);
      world.live();
      SortedMap<Long, Map<String, String>> possible = world.states.tailMap(world.told);
      readInPart(engine, random.nextInt(KEYS));
      engine = engine.crash(random);
      readInPart(engine, random.nextInt(KEYS));
      engine = engine.crash(random);
      World recovered = new World(engine, Durability.STRICT, random);
      assertThat(possible).containsEntry(recovered.store.revision(), recovered.contents());
      engine = engine.crash(random);
      World again = new World(engine, Durability.STRICT, random);
      assertThat(again.store.revision()).isEqualTo(recovered.store.revision());
      assertThat(again.contents()).isEqualTo(recovered.contents());
    }
  }

  /** Dies while it reads. */
  private static void readInPart(SimulatedEngine engine, int entries) {
    int[] left = {entries};
    try {
      engine.readBack(_ -> {
        if (left[0]-- == 0) {
          throw new IllegalStateException("killed");
        }
      });
    } catch (IllegalStateException killed) {
      assertThat(left[0]).isNegative();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void theDeadStoreWritesNoMore(long seed) throws StoreException {
    SimulatedEngine engine = new SimulatedEngine();
    World world = new World(engine, Durability.STRICT, new Random(seed));
    SimulatedEngine after = engine.crash(new Random(seed));
    CompletableFuture<Entry> late = world.store.put("k", new byte[0], Precondition.any());
    world.loop.runAll();
    assertThat(late).isCompletedExceptionally();
    assertThat(after.readBack(_ -> {})).isZero();
  }

  /** One life of a store, and the knowledge of its callers. */
  private static final class World {
    final ManualExecutor loop = new ManualExecutor();
    final Random random;
    final Store store;

    /** The newest revision that a caller knows, apart from those ahead of the disk. */
    long told;

    /** The contents after each batch, ahead of the disk, by revision. */
    final SortedMap<Long, Map<String, String>> states = new TreeMap<>();

    World(SimulatedEngine engine, Durability durability, Random random) throws StoreException {
      this.random = random;
      store = Store.open(engine, loop, StoreOptions.defaults().with(durability));
      told = store.revision();
      note();
    }

    void live() {
      int steps = random.nextInt(60);
      for (int i = 0; i < steps; i++) {
        if (random.nextInt(4) == 0) {
          loop.step();
          note();
        } else {
          write();
        }
      }
    }

    private void write() {
      String key = "k" + random.nextInt(KEYS);
      String value = Long.toHexString(random.nextLong());
      if (random.nextInt(3) == 0) {
        // No caller was told, so none relies on it.
        var _ = store.ahead().put(key, value.getBytes(UTF_8), precondition());
      } else if (random.nextInt(3) == 0) {
        store.delete(key, precondition()).thenAccept(this::tell);
      } else {
        store
            .put(key, value.getBytes(UTF_8), precondition())
            .thenAccept(entry -> tell(entry.revision()));
      }
    }

    private void tell(long revision) {
      told = Math.max(told, revision);
    }

    private Precondition precondition() {
      return switch (random.nextInt(3)) {
        case 0 -> Precondition.absent();
        case 1 -> Precondition.revision(Math.max(1, store.revision() - random.nextInt(KEYS)));
        default -> Precondition.any();
      };
    }

    private void note() {
      states.put(store.ahead().revision(), contents(store.ahead()));
    }

    Map<String, String> contents() {
      return contents(store);
    }

    private static Map<String, String> contents(StoreView view) {
      return view.list("").entries().stream()
          .collect(Collectors.toMap(Entry::key, entry -> new String(entry.value(), UTF_8)));
    }
  }
}
