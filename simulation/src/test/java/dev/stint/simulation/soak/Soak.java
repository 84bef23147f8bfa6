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
import java.util.TreeMap;
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

  /** Takes the flags of {@link SoakOptions}; exits with 1 if a law is broken. */
  public static void main(String... args) throws Exception {
    try {
      List<String> arguments = Arrays.asList(args);
      boolean isReport = !arguments.isEmpty() && arguments.getFirst().equals("--report");
      List<Chunk> chunks =
          isReport
              ? chunks(arguments.subList(1, arguments.size()))
              : new Soak(SoakOptions.parse(arguments)).play();
      System.out.print(SoakReport.of(chunks));
      System.exit(chunks.stream().allMatch(chunk -> chunk.broken.isEmpty()) ? 0 : 1);
    } catch (IllegalArgumentException wrong) {
      System.err.println("build/soak: " + wrong.getMessage());
      System.exit(2);
    }
  }

  private static List<Chunk> chunks(List<String> directories) throws IOException {
    List<Chunk> all = new ArrayList<>();
    for (String directory : directories) {
      all.addAll(SoakResults.read(Path.of(directory)));
    }
    return all;
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
    SimulatedWorld world = WorldKind.of(seed).world(seed);
    try {
      world.play();
    } catch (AssertionError | RuntimeException | StackOverflowError violation) {
      chunk.broken.add(seed);
      results.addBroken(seed, violation);
      System.err.printf("seed %d (%s) broke a law%n", seed, WorldKind.of(seed));
    }
    chunk.add(seed, world.played(), Duration.ofNanos(System.nanoTime() - start));
  }
}
