package dev.stint.cli.location;

import dev.stint.cli.output.UserException;
import dev.stint.jobs.attempts.AttemptHistory;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes the logs that a Job left on this machine. */
public final class KeptLogs {
  private KeptLogs() {}

  /**
   * Refuses to remove logs that are on other machines. To be called before a Job is deleted.
   *
   * @throws UserException if they are
   */
  public static void check(JobsTarget target) {
    var _ = tree(target);
  }

  private static LogTree tree(JobsTarget target) {
    return target
        .logs()
        .orElseThrow(() ->
            new UserException("--logs: a cluster deletes logs with their pods; remove the flag"));
  }

  /**
   * Removes the logs of all Jobs of this name.
   *
   * @throws UserException if they are on other machines
   */
  public static void remove(JobsTarget target, KubeObject job) {
    Path dir = AttemptHistory.jobDir(tree(target), job.namespace(), job.name());
    try {
      if (Files.exists(dir)) {
        Files.walkFileTree(dir, new Removal());
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /**
   * Deletes a directory tree without following links. Entries that vanish or appear meanwhile are
   * the runner's, and empty.
   */
  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException fault)
        throws IOException {
      try {
        Files.deleteIfExists(dir);
      } catch (DirectoryNotEmptyException used) {
        return FileVisitResult.CONTINUE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException fault) throws IOException {
      if (fault instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw fault;
    }
  }
}
