package dev.stint.simulation.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of a directory: {@code chunks.jsonl} has a line for each {@link Chunk} that was
 * played to its end, {@code broken-SEED.txt} the latest events of a world that broke a law, and
 * {@code mended.txt} the seeds of such worlds that have held when they were played again.
 */
final class SoakResults {
  private static final String CHUNKS = "chunks.jsonl";
  private static final String MENDED = "mended.txt";

  private final Path directory;

  private SoakResults(Path directory) {
    this.directory = directory;
  }

  /** Creates the directory if it is missing. */
  static SoakResults of(Path directory) throws IOException {
    SoakResults results = new SoakResults(Files.createDirectories(directory));
    results.endTornLine();
    return results;
  }

  /**
   * Returns the chunks of a directory that another process may be writing to.
   *
   * @throws IllegalArgumentException if there are none
   */
  static List<Chunk> read(Path directory) throws IOException {
    List<Chunk> chunks = new SoakResults(directory).read();
    if (chunks.isEmpty()) {
      throw new IllegalArgumentException(directory + ": no results of build/soak");
    }
    return chunks;
  }

  private Path chunks() {
    return directory.resolve(CHUNKS);
  }

  /** The process may have died while it wrote a line: the next one begins after it. */
  private void endTornLine() throws IOException {
    if (Files.exists(chunks()) && !Files.readString(chunks()).endsWith("\n")) {
      Files.writeString(chunks(), "\n", StandardOpenOption.APPEND);
    }
  }

  /** Returns all chunks; a line that was cut off when the process died is left out. */
  List<Chunk> read() throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    if (Files.exists(chunks())) {
      for (String line : Files.readAllLines(chunks())) {
        if (line.endsWith("}}")) {
          chunks.add(Chunk.read(line));
        }
      }
    }
    return chunks;
  }

  synchronized void add(Chunk chunk) throws IOException {
    Files.writeString(
        chunks(), chunk.write() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Writes down how a world broke, with its latest events if a law did. */
  void addBroken(long seed, Throwable broken) throws IOException {
    StringWriter text = new StringWriter();
    broken.printStackTrace(new PrintWriter(text));
    Files.writeString(directory.resolve("broken-" + seed + ".txt"), text.toString());
  }

  /** Returns the seeds of the worlds that broke a law and have held since. */
  static Set<Long> mended(Path directory) throws IOException {
    Path file = directory.resolve(MENDED);
    return Files.exists(file)
        ? Files.readAllLines(file).stream().map(Long::valueOf).collect(Collectors.toSet())
        : Set.of();
  }

  void setMended(Collection<Long> seeds) throws IOException {
    Files.write(directory.resolve(MENDED), seeds.stream().sorted().map(String::valueOf).toList());
  }
}
