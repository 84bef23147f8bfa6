package dev.stint.simulation.soak;

import dev.stint.simulation.SimulatedWorld;
import dev.stint.simulation.WorldKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Plays worlds of all kinds with successive seeds, one on each processor at a time, and goes on
 * where it was ended. See docs/simulation.md.
 */
public final class Soak {
  /** Worlds that are played, and written down, together. */
  static final int CHUNK = 100;

  private final SoakOptions options;
  private final SoakResults results;
  private final NavigableMap<Long, Chunk> played = new TreeMap<>();
  private final AtomicLong next = new AtomicLong();
  private final long begun = System.nanoTime();

  Soak(SoakOptions options) throws IOException {
    this.options = options;
    this.results = SoakResults.of(options.directory());
  }

  /** Takes the flags of {@link SoakOptions}; exits with 1 if a world breaks a law, as yet. */
  public static void main(String... args) throws Exception {
    try {
      SoakReport report = report(Arrays.asList(args));
      System.out.print(report.text());
      System.exit(report.isGood() ? 0 : 1);
    } catch (IllegalArgumentException wrong) {
      System.err.println("build/soak: " + wrong.getMessage());
      System.exit(2);
    }
  }

  private static SoakReport report(List<String> arguments) throws Exception {
    String first = arguments.isEmpty() ? "" : arguments.getFirst();
    if (!first.equals("--report") && !first.equals("--again")) {
      SoakOptions options = SoakOptions.parse(arguments);
      List<Chunk> all = new Soak(options).play();
      return new SoakReport(all, SoakResults.mended(options.directory()));
    }
    List<Chunk> chunks = new ArrayList<>();
    Set<Long> mended = new TreeSet<>();
    for (String each : arguments.subList(1, arguments.size())) {
      Path directory = Path.of(each);
      List<Chunk> found = SoakResults.read(directory);
      if (first.equals("--again")) {
        playAgain(SoakResults.of(directory), found);
      }
      chunks.addAll(found);
      mended.addAll(SoakResults.mended(directory));
    }
    return new SoakReport(chunks, mended);
  }

  /** Plays the worlds that broke a law, and writes down which of them hold now. */
  static void playAgain(SoakResults results, List<Chunk> chunks) throws IOException {
    Set<Long> mended = new TreeSet<>();
    for (Chunk chunk : chunks) {
      for (long seed : chunk.broken) {
        if (holds(seed, chunk.kindOf(seed), chunk.kindOf(seed).world(seed), results)) {
          mended.add(seed);
        }
      }
    }
    results.setMended(mended);
  }

  /** Plays what is missing, and returns all results of the directory. */
  List<Chunk> play() throws Exception {
    LoggerFactory.getLogger(Soak.class); // Once, before worlds ask for loggers at once.
    results.read().forEach(chunk -> played.merge(chunk.first, chunk, Soak::longer));
    int processors = Runtime.getRuntime().availableProcessors();
    try (ExecutorService threads = Executors.newFixedThreadPool(processors)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < processors; i++) {
        all.add(threads.submit(this::playChunks));
      }
      for (Future<?> each : all) {
        each.get(); // Throws what ended it.
      }
    }
    return results.read();
  }

  private static Chunk longer(Chunk one, Chunk other) {
    return one.worlds >= other.worlds ? one : other;
  }

  private @Nullable Void playChunks() throws IOException {
    while (isTimeLeft()) {
      long index = next.getAndIncrement();
      long first = options.first() + index * CHUNK;
      if (first >= options.first() + options.worlds()) {
        return null;
      }
      if (index % options.parts() == options.part() - 1) {
        playMissing(first, Math.min(first + CHUNK, options.first() + options.worlds()));
      }
    }
    return null;
  }

  private boolean isTimeLeft() {
    Duration most = options.most();
    return most == null || System.nanoTime() - begun < most.toNanos();
  }

  /** Plays the seeds before an end that no earlier call has played. */
  private void playMissing(long first, long end) throws IOException {
    long seed = first;
    while (seed < end) {
      Map.Entry<Long, Chunk> before = played.floorEntry(seed);
      if (before != null && seed < before.getValue().end()) {
        seed = before.getValue().end();
      } else {
        Long next = played.higherKey(seed);
        long stop = next == null ? end : Math.min(end, next);
        playChunk(seed, stop);
        seed = stop;
      }
    }
  }

  private void playChunk(long first, long end) throws IOException {
    Chunk chunk = new Chunk(first);
    for (long seed = first; seed < end; seed++) {
      playWorld(seed, chunk);
    }
    results.add(chunk);
  }

  private void playWorld(long seed, Chunk chunk) throws IOException {
    long start = System.nanoTime();
    WorldKind kind = Objects.requireNonNullElse(options.kind(), WorldKind.of(seed));
    SimulatedWorld world = kind.world(seed);
    if (!holds(seed, kind, world, results)) {
      chunk.broken.add(seed);
    }
    chunk.add(seed, kind, world.played(), Duration.ofNanos(System.nanoTime() - start));
  }

  private static boolean holds(long seed, WorldKind kind, SimulatedWorld world, SoakResults results)
      throws IOException {
    try {
      world.play();
      return true;
    } catch (AssertionError | RuntimeException | StackOverflowError violation) {
      results.addBroken(seed, violation);
      System.err.printf("seed %d (%s) broke a law%n", seed, kind);
      return false;
    }
  }
}
