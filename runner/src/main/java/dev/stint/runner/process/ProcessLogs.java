package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.runner.log.AttemptRecords;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.log.LogMarker;
import dev.stint.runner.log.LogRetention;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is kept of what processes print, and of how they ended. For the edge's thread. */
final class ProcessLogs {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessLogs.class);

  /** Looks may wait for the disk. What comes after the end is dropped: nobody looks any more. */
  private final ExecutorService markers =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("stint-log-times").factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  private final LogMarker marker;
  private final LogRetention retention;
  private final LogDirs dirs;

  /**
   * Looks at what there is from now on.
   *
   * @param root of all logs
   * @param spares whether shims can make directories from spare ones
   * @param cleaner serial; where what is too old or too large is removed
   */
  ProcessLogs(
      Path root,
      LogLimits limits,
      boolean spares,
      Executor cleaner,
      InstantSource clock,
      Timers timers,
      Supplier<CompletableFuture<LogRetention.InUse>> inUse) {
    this.marker = new LogMarker(markers, clock, timers, limits.attemptBytes());
    this.dirs = new LogDirs(spares);
    this.retention = new LogRetention(root, limits, cleaner, clock, timers, inUse);
    this.retention.start();
  }

  /** Makes the directory of a pod's logs: see {@link LogDirs#make}. */
  Optional<Path> makeDir(LogFiles files, String podUid, boolean plain) throws IOException {
    return dirs.make(files, podUid, plain);
  }

  /** Notes when an attempt prints, from now on. */
  void watch(ContainerRun run, LogFiles files) {
    if (dirs.isOwn(files.dir(), run.pod().uid())) {
      marker.watchNew(files);
    } else {
      marker.watch(files);
    }
  }

  /** Does so no more: the attempt has ended, and maybe printed nothing. */
  void unwatch(LogFiles files, boolean silent) {
    if (silent) {
      marker.unwatchSilent(files);
    } else {
      marker.unwatch(files, retention::ended);
    }
  }

  /** Writes down how an attempt ended, for longer than its pod lasts. */
  void noteEnd(ContainerRun run, LogFiles files, Exit exit, boolean silent) {
    markers.execute(() -> {
      try {
        AttemptRecords.add(files, run.pod(), exit, silent);
      } catch (IOException fault) {
        LOG.warn("how {} of {} ended is not noted: {}", run.name(), run.pod(), fault.toString());
      }
    });
  }

  /**
   * A pod is over.
   *
   * @param container the one that it had, where that ran once and nothing was arranged for it
   */
  void over(PodRecord record, Optional<String> container) {
    for (Path dir : record.logDirs()) {
      if (dirs.leave(dir, record.uid()) && container.isPresent() && record.isSilent()) {
        dirs.offer(new LogFiles(dir, container.get(), 0));
      }
    }
  }

  /** Notes nothing more. */
  void close() {
    OrderlyShutdown.end(markers, "how the last attempts ended may not be noted");
  }
}
