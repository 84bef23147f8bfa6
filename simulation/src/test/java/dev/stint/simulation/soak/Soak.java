package dev.stint.simulation.soak;

import dev.stint.simulation.SimulatedWorld;
import dev.stint.simulation.WorldKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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
  private final AtomicLong next = new AtomicLong();
  private final long begun = System.nanoTime();

  Soak(SoakOptions options) throws IOException {
    this.options = options;
    this.results = new SoakResults(options.directory());
  }

  /** Takes the flags of {@link SoakOptions}; exits with 1 if a law is broken. */
  public static void main(String... args) throws IOException, InterruptedException {
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
      all.addAll(new SoakResults(Path.of(directory)).read());
    }
    return all;
  }

  /** Plays what is missing, and returns all results of the directory. */
  List<Chunk> play() throws IOException, InterruptedException {
    LoggerFactory.getLogger(Soak.class); // Once, before worlds ask for loggers at once.
    Set<Long> played = new HashSet<>();
    results.read().forEach(chunk -> played.add(chunk.first));
    List<Thread> threads = new ArrayList<>();
    for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
      threads.add(Thread.ofPlatform().name("worlds-" + i).start(() -> playChunks(played)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return results.read();
  }

  private void playChunks(Set<Long> played) {
    while (isTimeLeft()) {
      long index = next.getAndIncrement();
      long first = options.first() + index * CHUNK;
      if (first >= options.first() + options.worlds()) {
        return;
      }
      if (index % options.parts() == options.part() - 1 && !played.contains(first)) {
        playChunk(first, Math.min(CHUNK, options.first() + options.worlds() - first));
      }
    }
  }

  private boolean isTimeLeft() {
    Duration most = options.most();
    return most == null || System.nanoTime() - begun < most.toNanos();
  }

  private void playChunk(long first, long count) {
    try {
      Chunk chunk = new Chunk(first);
      for (long seed = first; seed < first + count; seed++) {
        playWorld(seed, chunk);
      }
      results.add(chunk);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private void playWorld(long seed, Chunk chunk) throws IOException {
    long start = System.nanoTime();
    SimulatedWorld world = WorldKind.of(seed).world(seed);
    try {
      world.play();
    } catch (AssertionError | RuntimeException violation) {
      chunk.broken.add(seed);
      results.addBroken(seed, String.valueOf(violation.getMessage()));
      System.err.printf("seed %d (%s) broke a law%n", seed, WorldKind.of(seed));
    }
    chunk.add(seed, world.played(), Duration.ofNanos(System.nanoTime() - start));
  }
}
