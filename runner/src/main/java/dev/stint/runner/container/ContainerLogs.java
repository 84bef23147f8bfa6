package dev.stint.runner.container;

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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the logs of containers and the records of their ends. For use by any thread. */
final class ContainerLogs {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLogs.class);

  private final Executor loop;
  private final LogMarker marker;
  private final LogRetention retention;
  private final Set<LogFiles> running = ConcurrentHashMap.newKeySet();

  /** Pods of an earlier life that have not been asked for yet and may run. */
  private final Set<String> unknown;

  /**
   * Starts to check the logs.
   *
   * @param root the root of all logs
   * @param loop serial; waits for the disk
   * @param leftovers the uids of pods that an earlier life left
   */
  ContainerLogs(
      Path root,
      LogLimits limits,
      Executor loop,
      InstantSource clock,
      Timers timers,
      Set<String> leftovers) {
    this.loop = loop;
    this.marker = new LogMarker(loop, clock, timers, limits.attemptBytes());
    this.unknown = ConcurrentHashMap.newKeySet();
    this.unknown.addAll(leftovers);
    this.retention =
        new LogRetention(
            root, limits, loop, clock, timers, () -> CompletableFuture.completedFuture(inUse()));
    this.retention.start();
  }

  /** Called when a pod is started, or over. */
  void onPodKnown(String podUid) {
    unknown.remove(podUid);
  }

  /** Called when an attempt begins to print. */
  void onStart(LogFiles files) {
    running.add(files);
    marker.watch(files);
  }

  /** Called when an attempt has ended, and has printed all. */
  void onEnd(LogFiles files, ContainerRun run, Exit exit) {
    marker.unwatch(files, retention::onAttemptEnd);
    running.remove(files);
    loop.execute(() -> {
      try {
        AttemptRecords.add(files, run.pod(), run.item(), exit, files.isSilent());
      } catch (IOException fault) {
        LOG.warn(
            "Cannot record how attempt {} of {} ended; stint attempts will not list it: {}",
            files,
            run.pod().ref(),
            fault.toString());
      }
    });
  }

  private LogRetention.InUse inUse() {
    Set<Path> dirs = running.stream().map(LogFiles::dir).collect(Collectors.toSet());
    return new LogRetention.InUse(unknown.isEmpty(), Set.copyOf(running), dirs);
  }
}
