package dev.stint.runner.process;

import dev.stint.cluster.Timers;
import dev.stint.runner.file.FileTrees;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.isolation.IsolationFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is left of pods that are over: directories, and the arrangements around their
 * containers. Keeps directories of plain pods as spares for later pods.
 */
final class PodRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(PodRemoval.class);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);
  private static final int TRIES = 100;

  private final Path podsDir;
  private final SpareDirs spares;
  private final ProcessLogs logs;
  private final IsolationFactory arranger;
  private final Timers timers;
  private final Executor cleaner;

  /**
   * Creates a removal without work.
   *
   * @param cleaner runs work that may wait for the disk for long
   */
  PodRemoval(
      Path podsDir,
      SpareDirs spares,
      ProcessLogs logs,
      IsolationFactory arranger,
      Timers timers,
      Executor cleaner) {
    this.podsDir = podsDir;
    this.spares = spares;
    this.logs = logs;
    this.arranger = arranger;
    this.timers = timers;
    this.cleaner = cleaner;
  }

  /** Removes a pod of which nothing runs any more, and reports that to the record. */
  void remove(PodRecord record) throws IOException {
    if (recycle(record)) {
      record.completeForget(null);
      spares.takeSurplus().ifPresent(this::removeSpare);
    } else {
      removeSoon(record, TRIES);
    }
  }

  /** Keeps the directories as spares, at once: the next pod may need them. */
  private boolean recycle(PodRecord record) throws IOException {
    Optional<String> container = record.isArranged() ? Optional.empty() : record.onlyContainer();
    logs.onPodEnd(record, container);
    return container.isPresent()
        && spares.keep(AttemptDir.of(podsDir, record.uid(), container.get(), 0));
  }

  private void removeSpare(Path spare) {
    try {
      cleaner.execute(() -> {
        try {
          FileTrees.delete(spare);
        } catch (IOException fault) {
          LOG.debug("Leaving {} for the next start to remove: {}", spare, fault.toString());
        }
      });
    } catch (RejectedExecutionException closed) {
      LOG.debug("Leaving {} for the next start to remove", spare);
    }
  }

  private void removeSoon(PodRecord record, int tries) {
    try {
      cleaner.execute(() -> remove(record, tries));
    } catch (RejectedExecutionException closed) {
      LOG.debug("Leaving the files of pod {} for the next start to remove", record.uid());
    }
  }

  /** Removes the rest. Killed processes may take a moment to end, so it tries several times. */
  private void remove(PodRecord record, int tries) {
    try {
      if (record.isArranged() && !arranger.remove(record.uid()) && tries > 0) {
        var _ = timers.after(BETWEEN_TRIES, () -> removeSoon(record, tries - 1));
        return;
      }
      FileTrees.delete(AttemptDir.podDir(podsDir, record.uid()));
      record.completeForget(null);
    } catch (IOException fault) {
      record.completeForget(fault);
    }
  }
}
