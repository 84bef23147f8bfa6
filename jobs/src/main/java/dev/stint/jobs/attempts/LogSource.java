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

/** Where the logs of a Job's attempts are read from. */
public interface LogSource {
  /**
   * What to show of each log.
   *
   * @param tail how many of the last lines; null for all
   * @param since lines from then on; null for all
   */
  record View(boolean timestamps, @Nullable Long tail, @Nullable Instant since) {
    static final View ALL = new View(false, null, null);
  }

  /**
   * Copies a log to its end.
   *
   * @param latest whether no later run of the container is known
   * @param follow null to copy what there is; else completes when the attempt has ended
   */
  void copy(
      ContainerAttemptView attempt,
      boolean latest,
      View view,
      @Nullable CompletableFuture<?> follow,
      Out out)
      throws IOException, InterruptedException;

  /** Files of this machine. */
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
              follow != null,
              view.timestamps(),
              view.tail(),
              view.since(),
              null,
              Set.of(LogStream.values()));
      CompletableFuture<?> ended =
          follow == null ? CompletableFuture.completedFuture(true) : follow;
      new LogReader(files, options, ended).copyTo(out::write, new CompletableFuture<>());
      out.end();
    }
  }

  /** Where a log goes. */
  interface Out {
    /** Takes a piece. Waits for a slow reader; fails where it is gone. */
    void write(byte[] piece) throws IOException;

    /** That was the last one. */
    default void end() throws IOException {}
  }
}
