package dev.stint.apiserver.http.server;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
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
  private boolean hasAdded;
  private int calm;

  /** The threads of the system on which virtual threads run. All servers of a JVM share them. */
  interface Carriers {
    /** Returns how many there may be at a time. */
    int number();

    /**
     * Sets how many there may be at a time. If these are more than before, virtual threads that
     * wait get their turn at once.
     */
    void set(int number);
  }

  CarrierWatch(Scheduler scheduler) {
    this(
        scheduler,
        Thread::startVirtualThread,
        new CarriersOfJvm(),
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors()));
  }

  CarrierWatch(Scheduler scheduler, Executor virtualThreads, Carriers carriers, int usual) {
    this.scheduler = scheduler;
    this.virtualThreads = virtualThreads;
    this.carriers = carriers;
    this.usual = usual;
  }

  @Override
  protected void doStart() {
    checkLater();
  }

  private void checkLater() {
    scheduler.schedule(this::checkAndGoOn, CHECK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void checkAndGoOn() {
    if (isRunning() || isStarting()) {
      try {
        check();
      } finally {
        checkLater(); // Even if there is no room for threads now.
      }
    }
  }

  void check() {
    if (hadTurn) {
      onTurn();
      hadTurn = false;
      virtualThreads.execute(() -> hadTurn = true);
    } else {
      addCarriers();
    }
  }

  private void onTurn() {
    calm++;
    if (hasAdded && calm >= CALM) {
      carriers.set(usual);
      hasAdded = false;
    }
  }

  private void addCarriers() {
    int number = carriers.number();
    int more = Math.min(MOST, 2 * number);
    if (more > number) {
      carriers.set(more);
      LOG.warn("Requests compute for long; {} threads share the processors for a while", more);
    }
    hasAdded = true;
    calm = 0;
  }
}
