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
 * Looks at the logs of containers that run, now and then, and writes down when they grew.
 *
 * <p>It looks every 50 ms, and less often where there is so much to look at that it would take more
 * than a twentieth of one processor. A container that has printed all the time for minutes is
 * looked at every 250 ms. Where a log has become too large, its oldest part is given up then, too,
 * whatever that costs: it is far less than the container takes to write it.
 */
public final class LogMarker {
  private static final Logger LOG = LoggerFactory.getLogger(LogMarker.class);

  /** How long after it was written a line is seen at the latest, on a machine that keeps up. */
  public static final Duration INTERVAL = Duration.ofMillis(50);

  /** When to look again where a log grows so fast that it was cut right now. */
  private static final Duration SOON = Duration.ofMillis(10);

  private static final int SHARE = 20;
  private static final int MANY_MARKS = 10_000;
  private static final int SELDOM = 5;

  private final Executor loop;
  private final InstantSource clock;
  private final Timers timers;
  private final LogCap cap;

  /** Each is used by the loop alone once it is in here. */
  private final Map<LogFiles, LogTimes> watched = new ConcurrentHashMap<>();

  private final AtomicBoolean scheduled = new AtomicBoolean();
  private long round;

  /**
   * @param loop serial; where it looks, which may wait for the disk
   * @param mostBytes how much is kept of the log of an attempt
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

  /** Looks at these files from now on. Most attempts have ended before it is time for a look. */
  public void watch(LogFiles files) {
    LogTimes times = new LogTimes(files);
    try {
      times.refresh();
    } catch (IOException | RuntimeException fault) {
      LOG.warn("the times in {} are not readable: {}", files.times(), fault.toString());
    }
    watch(files, times);
  }

  /** Likewise where nothing was written down of them, as their directory was made just now. */
  public void watchNew(LogFiles files) {
    watch(files, new LogTimes(files));
  }

  private void watch(LogFiles files, LogTimes times) {
    watched.put(files, times);
    if (scheduled.compareAndSet(false, true)) {
      lookAfter(INTERVAL);
    }
  }

  /**
   * Looks no more: nobody writes to them any longer.
   *
   * @param then told how many bytes are kept of the log
   */
  public void unwatch(LogFiles files, LongConsumer then) {
    LogTimes times = watched.remove(files);
    if (times != null) {
      loop.execute(() -> then.accept(trim(files, times, files::size)));
    }
  }

  /** Looks no more: nothing was printed, and nobody will. */
  public void unwatchSilent(LogFiles files) {
    watched.remove(files);
  }

  /** Dates what an earlier pod of the same name left, which a new one is about to append to. */
  public static void dateLeftover(LogFiles files) throws IOException {
    if (files.size(LogStream.STDOUT) > 0 || files.size(LogStream.STDERR) > 0) {
      LogTimes times = new LogTimes(files);
      times.refresh();
      times.look();
    }
  }

  private void lookAfter(Duration delay) {
    timers.after(delay, () -> loop.execute(this::look));
  }

  private void look() {
    Duration delay = INTERVAL;
    try {
      delay = lookAtAll();
    } finally {
      goOn(delay);
    }
  }

  /** Tells when to look again. */
  private Duration lookAtAll() {
    round++;
    Instant start = clock.instant();
    watched.forEach((files, times) -> {
      if (times.count() < MANY_MARKS || round % SELDOM == 0) {
        look(files, times);
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
    return rest.compareTo(usual) > 0 ? rest : usual;
  }

  private void goOn(Duration delay) {
    scheduled.set(false);
    if (!watched.isEmpty() && scheduled.compareAndSet(false, true)) {
      lookAfter(delay);
    }
  }

  private static void look(LogFiles files, LogTimes times) {
    try {
      times.look();
    } catch (IOException fault) {
      LOG.debug("the times of {} could not be written down: {}", files, fault.toString());
    }
  }

  private long trim(LogFiles files, LogTimes times, ToLongFunction<LogStream> sizes) {
    try {
      return cap.trim(files, times, sizes, clock.instant());
    } catch (IOException fault) {
      LOG.debug("the log {} could not be kept short: {}", files, fault.toString());
      return 0;
    }
  }
}
