package dev.stint.runner.log;

import dev.stint.cluster.Timers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the logs of running containers periodically and records when they grew.
 *
 * <p>It checks every 50 ms, and less often if that would take more than a twentieth of one
 * processor, but every few seconds at least. A container that has printed all the time for minutes
 * is checked every 250 ms. The check also frees the oldest part of a log that has become too large,
 * at any cost: the container spends far more on writing it.
 */
public final class LogMarker {
  private static final Logger LOG = LoggerFactory.getLogger(LogMarker.class);

  /** The longest time from a write to the check that sees it, on a machine that keeps up. */
  static final Duration INTERVAL = Duration.ofMillis(50);

  /** The delay before the next check if a log grew so fast that it was just cut. */
  private static final Duration SOON = Duration.ofMillis(10);

  /**
   * The longest delay before the next check. A check seems to take hours if the machine sleeps
   * meanwhile, or its clock is set.
   */
  static final Duration LONGEST_REST = Duration.ofSeconds(5);

  private static final int SHARE = 20;
  private static final int SELDOM = 5;

  private final Executor loop;
  private final InstantSource clock;
  private final Timers timers;
  private final LogCap cap;

  /** Each value is used by the loop alone once it is in this map. */
  private final Map<LogFiles, LogTimes> watched = new ConcurrentHashMap<>();

  private final AtomicBoolean scheduled = new AtomicBoolean();
  private long round;

  /**
   * @param loop serial; runs the checks, which may wait for the disk
   * @param mostBytes the bytes kept of an attempt's log
   */
  public LogMarker(Executor loop, InstantSource clock, Timers timers, long mostBytes) {
    this(loop, clock, timers, new LogCap(mostBytes, HolePunch::punch));
  }

  LogMarker(Executor loop, InstantSource clock, Timers timers, LogCap cap) {
    this.loop = loop;
    this.clock = clock;
    this.timers = timers;
    this.cap = cap;
  }

  /** Checks these files from now on. Most attempts end before the first check. */
  public void watch(LogFiles files) {
    LogTimes times = new LogTimes(files);
    try {
      times.refresh();
    } catch (IOException | RuntimeException fault) {
      LOG.warn(
          "Cannot read the times in {}; going on without them: {}",
          files.times(),
          fault.toString());
    }
    watch(files, times);
  }

  /** Checks the files of a directory that was just made, so that no times are recorded yet. */
  public void watchNew(LogFiles files) {
    watch(files, new LogTimes(files));
  }

  private void watch(LogFiles files, LogTimes times) {
    watched.put(files, times);
    if (scheduled.compareAndSet(false, true)) {
      checkAfter(INTERVAL);
    }
  }

  /**
   * Stops checking files that no container writes to any more.
   *
   * @param then receives the number of bytes that are kept of the log
   */
  public void unwatch(LogFiles files, LongConsumer then) {
    LogTimes times = watched.remove(files);
    if (times != null) {
      loop.execute(() -> then.accept(trim(files, times, files::size)));
    }
  }

  /** Stops checking files without any output. */
  public void unwatchSilent(LogFiles files) {
    watched.remove(files);
  }

  /**
   * Records the time of the output that an earlier pod of the same name left, before a new pod
   * appends to it.
   */
  public static void dateLeftover(LogFiles files) throws IOException {
    if (files.size(LogStream.STDOUT) > 0 || files.size(LogStream.STDERR) > 0) {
      LogTimes times = new LogTimes(files);
      times.refresh();
      times.record();
    }
  }

  private void checkAfter(Duration delay) {
    timers.after(delay, () -> loop.execute(this::check));
  }

  private void check() {
    Duration delay = INTERVAL;
    try {
      delay = checkAll();
    } finally {
      continueAfter(delay);
    }
  }

  /** Checks all logs; returns the delay before the next check. */
  private Duration checkAll() {
    round++;
    Instant start = clock.instant();
    watched.forEach((files, times) -> {
      if (!times.hasMany() || round % SELDOM == 0) {
        check(files, times);
      }
    });
    Duration rest = Duration.between(start, clock.instant()).multipliedBy(SHARE);
    boolean flood = false;
    for (Map.Entry<LogFiles, LogTimes> each : watched.entrySet()) {
      LogTimes times = each.getValue();
      long before = times.kept();
      flood |= trim(each.getKey(), times, times::offset) < before;
    }
    Duration usual = flood ? SOON : INTERVAL;
    return rest.compareTo(usual) < 0
        ? usual
        : rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST;
  }

  private void continueAfter(Duration delay) {
    scheduled.set(false);
    if (!watched.isEmpty() && scheduled.compareAndSet(false, true)) {
      checkAfter(delay);
    }
  }

  private void check(LogFiles files, LogTimes times) {
    try {
      times.record();
      times.thin(clock.instant());
    } catch (IOException fault) {
      LOG.debug("Cannot record the times of {}: {}", files, fault.toString());
    }
  }

  private long trim(LogFiles files, LogTimes times, ToLongFunction<LogStream> sizes) {
    try {
      return cap.trim(files, times, sizes, clock.instant());
    } catch (IOException fault) {
      LOG.debug("Cannot truncate the log {}: {}", files, fault.toString());
      return 0;
    }
  }
}
