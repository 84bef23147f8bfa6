package dev.stint.simulation.soak;

import dev.stint.model.Json;
import dev.stint.simulation.PlayedWorld;
import dev.stint.simulation.WorldKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The results of worlds with successive seeds. They can be added up.
 *
 * <p>Not safe for use by several threads.
 */
final class Chunk {
  private static final int SLOWEST = 10;

  /** The wall time of one world. */
  record Slow(long seed, long millis) {}

  final long first;
  long worlds;
  long steps;
  long simulatedSeconds;
  long millis;
  final Map<WorldKind, Long> kinds = new EnumMap<>(WorldKind.class);
  final SortedMap<String, Long> faults = new TreeMap<>();
  final List<Long> broken = new ArrayList<>();
  private final List<Slow> slow = new ArrayList<>();

  Chunk(long first) {
    this.first = first;
  }

  /** Returns the seed after the last one. */
  long end() {
    return first + worlds;
  }

  /** Returns the kind of a world: of the only kind here, or of the seed's. */
  WorldKind kindOf(long seed) {
    return kinds.size() == 1 ? kinds.keySet().iterator().next() : WorldKind.of(seed);
  }

  void add(long seed, WorldKind kind, PlayedWorld played, Duration took) {
    worlds++;
    steps += played.steps();
    simulatedSeconds += played.simulated().toSeconds();
    millis += took.toMillis();
    kinds.merge(kind, 1L, Long::sum);
    played.faults().forEach((fault, times) -> faults.merge(fault, (long) times, Long::sum));
    slow.add(new Slow(seed, took.toMillis()));
  }

  void add(Chunk other) {
    worlds += other.worlds;
    steps += other.steps;
    simulatedSeconds += other.simulatedSeconds;
    millis += other.millis;
    other.kinds.forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
    other.faults.forEach((fault, times) -> faults.merge(fault, times, Long::sum));
    broken.addAll(other.broken);
    slow.addAll(other.slowest());
  }

  /** Returns the slowest worlds, the slowest first. */
  List<Slow> slowest() {
    return slow.stream()
        .sorted(Comparator.comparingLong(Slow::millis).reversed().thenComparing(Slow::seed))
        .limit(SLOWEST)
        .toList();
  }

  /** Returns one line of JSON. */
  String write() {
    ObjectNode tree = Json.object();
    tree.put("first", first).put("worlds", worlds).put("steps", steps);
    tree.put("simulatedSeconds", simulatedSeconds).put("millis", millis);
    ObjectNode byKind = tree.putObject("kinds");
    kinds.forEach((kind, count) -> byKind.put(kind.name(), count));
    ObjectNode byFault = tree.putObject("faults");
    faults.forEach(byFault::put);
    ArrayNode brokenSeeds = tree.putArray("broken");
    broken.forEach(brokenSeeds::add);
    ObjectNode slowSeeds = tree.putObject("slowest");
    slowest().forEach(each -> slowSeeds.put(Long.toString(each.seed), each.millis));
    return tree.toString();
  }

  /** Reads a line that {@link #write} wrote. */
  static Chunk read(String line) {
    JsonNode tree = Json.parse(line);
    Chunk chunk = new Chunk(tree.path("first").asLong());
    chunk.worlds = tree.path("worlds").asLong();
    chunk.steps = tree.path("steps").asLong();
    chunk.simulatedSeconds = tree.path("simulatedSeconds").asLong();
    chunk.millis = tree.path("millis").asLong();
    tree.path("kinds")
        .properties()
        .forEach(
            each -> chunk.kinds.put(WorldKind.valueOf(each.getKey()), each.getValue().asLong()));
    tree.path("faults")
        .properties()
        .forEach(each -> chunk.faults.put(each.getKey(), each.getValue().asLong()));
    tree.path("broken").forEach(seed -> chunk.broken.add(seed.asLong()));
    tree.path("slowest")
        .properties()
        .forEach(each ->
            chunk.slow.add(new Slow(Long.parseLong(each.getKey()), each.getValue().asLong())));
    return chunk;
  }
}
