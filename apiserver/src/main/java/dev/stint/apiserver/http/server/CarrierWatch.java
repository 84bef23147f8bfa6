package dev.stint.apiserver.http.server;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prevents that a few requests that compute for long hold up all others. The virtual threads of
 * requests share as many threads of the system as there are processors, and one that computes keeps
 * its thread until it waits. So this looks each second whether a new virtual thread has got its
 * turn. If it has not, there are twice as many threads from then on, among which the system divides
 * the processors. They go again after a minute in which nobody had to wait.
 */
final class CarrierWatch extends AbstractLifeCycle {
  private static final Logger LOG = LoggerFactory.getLogger(CarrierWatch.class);
  private static final Duration CHECK = Duration.ofSeconds(1);

  /** The number of checks without a wait after which the usual number of threads is enough. */
  static final int CALM = 60;

  /** More than the requests that are answered at a time, but no threads without a bound. */
  static final int MOST = 128;

  private final Scheduler scheduler;
  private final Executor virtualThreads;
  private final Carriers carriers;
  private final int usual;
  private volatile boolean hadTurn = true;
  private int number;
  private int calm;

  /** The threads of the system on which virtual threads run. */
  interface Carriers {
    /** Sets how many there may be at a time. */
    void set(int number);
  }

  CarrierWatch(Scheduler scheduler) {
    this(
        scheduler,
        Thread::startVirtualThread,
        CarrierWatch::setOfJvm,
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors()));
  }

  CarrierWatch(Scheduler scheduler, Executor virtualThreads, Carriers carriers, int usual) {
    this.scheduler = scheduler;
    this.virtualThreads = virtualThreads;
    this.carriers = carriers;
    this.usual = usual;
    this.number = usual;
  }

  /**
   * The bean is made here and not before, since a server that is never held up has no use for it.
   */
  private static void setOfJvm(int number) {
    ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class).setParallelism(number);
  }

  @Override
  protected void doStart() {
    checkLater();
  }

  @Override
  protected void doStop() {
    set(usual);
  }

  private void checkLater() {
    scheduler.schedule(this::checkAndGoOn, CHECK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void checkAndGoOn() {
    if (isRunning() || isStarting()) {
      check();
      checkLater();
    }
  }

  synchronized void check() {
    if (hadTurn) {
      calm++;
      if (calm >= CALM) {
        set(usual);
      }
      hadTurn = false;
      virtualThreads.execute(() -> hadTurn = true);
    } else {
      calm = 0;
      set(Math.max(usual, Math.min(MOST, 2 * number)));
    }
  }

  private synchronized void set(int next) {
    if (next == number) {
      return;
    }
    if (number == usual) {
      LOG.warn("Requests compute for long; {} threads share the processors for a while", next);
    }
    number = next;
    carriers.set(next);
  }
}
