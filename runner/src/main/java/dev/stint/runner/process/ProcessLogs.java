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

/** Keeps the logs of processes and the records of their ends. For the watcher's thread. */
final class ProcessLogs {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessLogs.class);

  /**
   * Runs checks, which may wait for the disk. Drops tasks after the end, when they no longer
   * matter.
   */
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
   * Starts to check the logs.
   *
   * @param root the root of all logs
   * @param spares true if shims can make directories from spare ones
   * @param cleaner serial; removes logs that are too old or too large
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

  /** Starts to record the times of an attempt's output. */
  void watch(ContainerRun run, LogFiles files) {
    if (dirs.isOwn(files.dir(), run.pod().uid())) {
      marker.watchNew(files);
    } else {
      marker.watch(files);
    }
  }

  /** Stops to do so: the attempt has ended, and maybe printed nothing. */
  void unwatch(LogFiles files, boolean silent) {
    if (silent) {
      marker.unwatchSilent(files);
    } else {
      marker.unwatch(files, retention::onAttemptEnd);
    }
  }

  /** Records the end of an attempt, for longer than its pod exists. */
  void recordEnd(ContainerRun run, LogFiles files, Exit exit, boolean silent) {
    markers.execute(() -> {
      try {
        AttemptRecords.add(files, run.pod(), run.item(), exit, silent);
      } catch (IOException fault) {
        LOG.warn(
            "Cannot record how container {} of {} ended; stint attempts will not list it: {}",
            run.name(),
            run.pod().ref(),
            fault.toString());
      }
    });
  }

  /**
   * Called when a pod is over.
   *
   * @param container its only container, if that ran once and without an arrangement
   */
  void onPodEnd(PodRecord record, Optional<String> container) {
    for (Path dir : record.logDirs()) {
      if (dirs.release(dir, record.uid()) && container.isPresent() && record.isSilent()) {
        dirs.offer(new LogFiles(dir, container.get(), 0));
      }
    }
  }

  /** Stops recording. */
  void close() {
    OrderlyShutdown.shutDown(markers, "stint attempts may lack the last ones");
  }
}
