package dev.stint.jobs.attempts;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogOptions;
import dev.stint.runner.log.LogReader;
import dev.stint.runner.log.LogStream;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A source of the logs of a Job's attempts. */
public interface LogSource {
  /**
   * The part of each log to show.
   *
   * @param tail the number of last lines; null for all
   * @param since shows lines from this time on; null for all
   * @param streams the streams to show
   */
  record View(
      boolean timestamps, @Nullable Long tail, @Nullable Instant since, Set<LogStream> streams) {
    static final View ALL = of(false, null, null);

    /** Returns a view of both streams. */
    public static View of(boolean timestamps, @Nullable Long tail, @Nullable Instant since) {
      return new View(timestamps, tail, since, Set.of(LogStream.values()));
    }
  }

  /**
   * Copies a log to its end.
   *
   * @param latest true if no later run of the container is known
   * @param follow completes when the attempt has ended; null to copy the existing log only
   */
  void copy(
      ContainerAttemptView attempt,
      boolean latest,
      View view,
      @Nullable CompletableFuture<?> follow,
      Out out)
      throws IOException, InterruptedException;

  /** True if a log that is followed may break off, or end before its attempt has. */
  default boolean mayBreakOff() {
    return false;
  }

  /** Reads log files of this machine. */
  record Local(LogTree logs, String namespace, String job) implements LogSource {
    @Override
    public void copy(
        ContainerAttemptView attempt,
        boolean latest,
        View view,
        @Nullable CompletableFuture<?> follow,
        Out out)
        throws IOException, InterruptedException {
      Path dir =
          AttemptHistory.jobDir(logs, namespace, job).resolve(LogTree.segment(attempt.pod()));
      LogFiles files = new LogFiles(dir, LogTree.segment(attempt.container()), attempt.run());
      LogOptions options =
          new LogOptions(
              follow != null, view.timestamps(), view.tail(), view.since(), null, view.streams());
      CompletableFuture<?> ended =
          follow == null ? CompletableFuture.completedFuture(true) : follow;
      new LogReader(files, options, ended).copyTo(out::write, new CompletableFuture<>());
      out.finish();
    }
  }

  /** The destination of a log. */
  interface Out {
    /** Writes a piece. Waits for a slow reader; fails if the reader is gone. */
    void write(byte[] piece) throws IOException;

    /** Called after the last piece. */
    default void finish() throws IOException {}
  }
}
