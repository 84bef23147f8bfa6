package dev.stint.simulation.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of a directory: {@code chunks.jsonl} has a line for each {@link Chunk} that was
 * played to its end, {@code broken-SEED.txt} the latest events of a world that broke a law.
 */
final class SoakResults {
  private final Path directory;

  SoakResults(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    endTornLine();
  }

  /** The process may have died while it wrote a line: the next one begins after it. */
  private void endTornLine() throws IOException {
    if (Files.exists(chunks()) && !Files.readString(chunks()).endsWith("\n")) {
      Files.writeString(chunks(), "\n", StandardOpenOption.APPEND);
    }
  }

  private Path chunks() {
    return directory.resolve("chunks.jsonl");
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

  void addBroken(long seed, String events) throws IOException {
    Files.writeString(directory.resolve("broken-" + seed + ".txt"), events);
  }
}
