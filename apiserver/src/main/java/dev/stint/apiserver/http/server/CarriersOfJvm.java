package dev.stint.apiserver.http.server;

import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * The threads of this JVM's scheduler. The bean is made when it is asked for: a server that is
 * never held up has no use for it.
 *
 * <p>A larger number alone adds no thread. The scheduler adds one when a virtual thread starts, but
 * not if others wait before it in the queue of the thread that starts it, since it takes for
 * granted that one of them had a thread added. It does add one when that queue is full. So {@link
 * #set} starts virtual threads without a task until one more runs; the thread that is added then
 * adds further ones while there is something to run.
 */
final class CarriersOfJvm implements CarrierWatch.Carriers {
  /** More than such a queue has room for while a server answers as many clients as it may have. */
  private static final int MOST_STARTS = 1 << 17;

  private static VirtualThreadSchedulerMXBean bean() {
    return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  }

  @Override
  public int number() {
    return bean().getParallelism();
  }

  @Override
  public void set(int number) {
    VirtualThreadSchedulerMXBean scheduler = bean();
    int running = scheduler.getMountedVirtualThreadCount();
    boolean isMore = number > scheduler.getParallelism();
    scheduler.setParallelism(number);
    for (int i = 0; isMore && i < MOST_STARTS && !isMoreRunning(scheduler, running); i++) {
      Thread.startVirtualThread(() -> {});
    }
  }

  private static boolean isMoreRunning(VirtualThreadSchedulerMXBean scheduler, int running) {
    return scheduler.getMountedVirtualThreadCount() > running;
  }
}
