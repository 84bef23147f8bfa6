package dev.stint.embedded.benchmark;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A temporary directory for one run, deleted on close. Other processes may remove its files
 * meanwhile.
 */
record TemporaryDirectory(Path path) implements AutoCloseable {

  /** Creates a directory; in the system's temporary directory if there is no parent. */
  static TemporaryDirectory in(@Nullable Path parent) throws IOException {
    if (parent == null) {
      return new TemporaryDirectory(Files.createTempDirectory("stint-bench"));
    }
    Files.createDirectories(parent);
    return new TemporaryDirectory(Files.createTempDirectory(parent, "bench"));
  }

  /** Returns the bytes of all files under a directory. */
  static long size(Path directory) throws IOException {
    AtomicLong size = new AtomicLong();
    Files.walkFileTree(
        directory,
        new Visitor() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            size.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }
        });
    return size.get();
  }

  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        path,
        new Visitor() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Ignores files that have disappeared meanwhile. */
  private abstract static class Visitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }
  }
}
