package dev.stint.runner.log;

import dev.stint.cluster.Timers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the logs of attempts that ended long ago, or before many others. Runs once an hour, or
 * more often if logs are kept for less than that, across restarts of this program, and after much
 * output.
 */
public final class LogRetention {
  private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);
  private static final Duration LONGEST_PERIOD = Duration.ofHours(1);
  private static final Duration SHORTEST_PERIOD = Duration.ofMinutes(1);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

  /** The file whose time is that of the last check of all logs. */
  private static final String STAMP = ".looked";

  /** The limit may be exceeded by its SHARE-th part before the next check. */
  private static final int SHARE = 10;

  private static final long SMALL_BYTES = 16 << 20;

  /**
   * The logs that must stay.
   *
   * @param settled true if all that runs is known; otherwise nothing may be removed
   * @param running attempts that run
   * @param dirs directories in which attempts may begin at any time
   */
  public record InUse(boolean settled, Set<LogFiles> running, Set<Path> dirs) {}

  private final Path root;
  private final LogLimits limits;

  /** The time between two checks. A directory that is empty for longer is not about to be used. */
  private final Duration period;

  private final Executor worker;
  private final InstantSource clock;
  private final Timers timers;
  private final Supplier<CompletableFuture<InUse>> inUse;
  private final AtomicLong added = new AtomicLong();
  private final AtomicBoolean checking = new AtomicBoolean();

  /**
   * @param root the root of the logs: {@code <namespace>/<job>/<pod>/<files>}
   * @param worker serial; waits for the disk
   * @param inUse asked at each check, before and after the logs are listed
   */
  public LogRetention(
      Path root,
      LogLimits limits,
      Executor worker,
      InstantSource clock,
      Timers timers,
      Supplier<CompletableFuture<InUse>> inUse) {
    this.root = root;
    this.limits = limits;
    this.period = period(limits.age());
    this.worker = worker;
    this.clock = clock;
    this.timers = timers;
    this.inUse = inUse;
  }

  private static Duration period(Duration age) {
    if (age.compareTo(LONGEST_PERIOD) > 0) {
      return LONGEST_PERIOD;
    }
    return age.compareTo(SHORTEST_PERIOD) > 0 ? age : SHORTEST_PERIOD;
  }

  /** Starts the periodic checks. */
  public void start() {
    worker.execute(() -> {
      Duration left = period.minus(Duration.between(lastCheck(), clock.instant()));
      checkAfter(left.compareTo(period) < 0 ? left : period);
    });
  }

  /** Counts the log of an attempt that has ended. */
  public void onAttemptEnd(long bytes) {
    long most = Math.max(limits.bytes() / SHARE, SMALL_BYTES);
    if (added.addAndGet(bytes) > most && !checking.get()) {
      checkNow(() -> {});
    }
  }

  private Instant lastCheck() {
    try {
      return Files.getLastModifiedTime(root.resolve(STAMP)).toInstant();
    } catch (IOException never) {
      return Instant.EPOCH;
    }
  }

  private void checkAfter(Duration delay) {
    Runnable check = () -> checkNow(() -> checkAfter(period));
    if (delay.isPositive()) {
      timers.after(delay, check);
    } else {
      check.run();
    }
  }

  private void checkNow(Runnable then) {
    if (checking.compareAndSet(false, true)) {
      var _ =
          inUse
              .get()
              .thenComposeAsync(this::checkIfSettled, worker)
              .whenComplete((checked, fault) -> onChecked(checked, fault, then));
    } else {
      checkLater(then);
    }
  }

  private void checkLater(Runnable then) {
    timers.after(BETWEEN_TRIES, () -> checkNow(then));
  }

  private void onChecked(@Nullable Boolean checked, @Nullable Throwable fault, Runnable then) {
    checking.set(false);
    Throwable cause = fault instanceof CompletionException ? fault.getCause() : fault;
    if (cause instanceof RejectedExecutionException) {
      return; // The worker is closed.
    }
    if (cause != null) {
      LOG.warn(
          "Cannot remove old logs in {}; retrying in the next round: {}", root, cause.toString());
    }
    if (checked == null || checked) {
      then.run();
    } else {
      checkLater(then);
    }
  }

  private CompletableFuture<Boolean> checkIfSettled(InUse now) {
    if (!now.settled()) {
      return CompletableFuture.completedFuture(false);
    }
    try {
      Listing found = listing();
      // An attempt that has begun since then, in a listed directory, is reported in time.
      return inUse.get().thenApplyAsync(used -> remove(found, used), worker);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /**
   * The candidates for removal.
   *
   * @param empty Jobs without any pods there, and namespaces without any Jobs
   */
  private record Listing(List<Path> empty, List<Path> pods, List<LogFiles> logs) {}

  private Listing listing() throws IOException {
    Listing found = new Listing(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Path namespace : directories(root)) {
      List<Path> jobs = directories(namespace);
      if (jobs.isEmpty()) {
        found.empty.add(namespace);
      }
      for (Path job : jobs) {
        List<Path> pods = directories(job);
        if (pods.isEmpty()) {
          found.empty.add(job);
        }
        for (Path pod : pods) {
          found.pods.add(pod);
          found.logs.addAll(LogFiles.all(pod));
        }
      }
    }
    return found;
  }

  private boolean remove(Listing found, InUse used) {
    if (!used.settled()) {
      return false;
    }
    added.set(0);
    try {
      removeSurplus(kept(found, used.running()));
      for (Path pod : found.pods) {
        if (!used.dirs().contains(pod)) {
          removeEmpty(pod);
        }
      }
      for (Path dir : found.empty) {
        removeEmpty(dir);
      }
      stamp();
      return true;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the logs of attempts that have ended, and the records of Jobs without logs. */
  private List<KeptLog> kept(Listing found, Set<LogFiles> running) throws IOException {
    List<KeptLog> kept = new ArrayList<>();
    Instant now = clock.instant();
    for (LogFiles files : found.logs) {
      if (!running.contains(files) && Files.exists(files.dir())) {
        kept(files, now).ifPresent(kept::add);
      }
    }
    for (Path job : found.empty) {
      if (isSettled(job)) {
        AttemptRecords.kept(job, now).ifPresent(kept::add);
      }
    }
    return kept;
  }

  /** Returns an attempt's log; empty if it cannot be read, which keeps no other one. */
  private static Optional<KeptLog> kept(LogFiles files, Instant now) {
    try {
      return Optional.of(files.kept(now));
    } catch (IOException | RuntimeException fault) {
      LOG.warn("Cannot read {}; not removing this log: {}", files.times(), fault.toString());
      return Optional.empty();
    }
  }

  private void removeSurplus(List<KeptLog> kept) throws IOException {
    List<KeptLog> surplus = KeptLog.surplus(kept, limits.age(), limits.bytes(), clock.instant());
    for (KeptLog log : surplus) {
      log.removal().remove();
    }
    if (!surplus.isEmpty()) {
      LOG.info(
          "Removed the logs or records of {} attempts or Jobs, beyond the limits of age and size",
          surplus.size());
    }
  }

  /** Removes the directories of a pod, a Job and a namespace if they are empty. */
  private void removeEmpty(Path pod) throws IOException {
    for (Path dir = pod; !dir.equals(root); dir = Objects.requireNonNull(dir.getParent())) {
      // Removing files has changed the time of their directory; the next look removes that.
      if (!isSettled(dir)) {
        return;
      }
      try {
        Files.delete(dir);
      } catch (DirectoryNotEmptyException | NoSuchFileException used) {
        return;
      }
    }
  }

  private boolean isSettled(Path dir) throws IOException {
    try {
      Instant limit = clock.instant().minus(period);
      return !Files.getLastModifiedTime(dir).toInstant().isAfter(limit);
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  private static List<Path> directories(Path dir) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(dir, each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))) {
      entries.forEach(found::add);
    } catch (NoSuchFileException gone) {
      return found;
    }
    return found;
  }

  private void stamp() throws IOException {
    Path stamp = root.resolve(STAMP);
    if (!Files.exists(stamp)) {
      Files.createFile(stamp);
    }
    Files.setLastModifiedTime(stamp, FileTime.from(clock.instant()));
  }
}
