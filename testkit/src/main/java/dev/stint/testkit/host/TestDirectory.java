package dev.stint.testkit.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** A temporary directory, deleted on close. */
public record TestDirectory(Path root) implements AutoCloseable {
  public static TestDirectory make() throws IOException {
    return new TestDirectory(Files.createTempDirectory("stint-test"));
  }

  /** Creates a directory in it. */
  public Path dir(String name) throws IOException {
    return Files.createDirectories(root.resolve(name));
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException fault) {
      LoggerFactory.getLogger(TestDirectory.class)
          .warn("Cannot delete {}: {}", root, fault.toString());
    }
  }
}
