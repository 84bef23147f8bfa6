package dev.stint.runner.proc;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The memory of processes for tests: reads of some block until they are let go. */
public final class BlockingMemory implements ProcessMemory.Reader {
  private final Map<Integer, CountDownLatch> blocked = new ConcurrentHashMap<>();
  private final Map<Integer, String> texts = new ConcurrentHashMap<>();
  private final BlockingQueue<Integer> blocking = new LinkedBlockingQueue<>();
  private final Set<Thread> readers = ConcurrentHashMap.newKeySet();

  /** Blocks the reads of a process from now on. */
  public void block(int pid) {
    blocked.put(pid, new CountDownLatch(1));
  }

  /** Lets the reads of a process return. */
  public void unblock(int pid) {
    CountDownLatch latch = blocked.remove(pid);
    if (latch != null) {
      latch.countDown();
    }
  }

  public void unblockAll() {
    Set.copyOf(blocked.keySet()).forEach(this::unblock);
  }

  public void set(int pid, String text) {
    texts.put(pid, text);
  }

  /** Waits until a read blocks, and returns its process. */
  public int awaitBlocked() throws InterruptedException {
    Integer pid = blocking.poll(60, TimeUnit.SECONDS);
    if (pid == null) {
      throw new AssertionError("no read blocks");
    }
    return pid;
  }

  /** Returns the number of reads that have blocked, and were not waited for. */
  public int blocking() {
    return blocking.size();
  }

  /** Returns the threads that have read. */
  public Set<Thread> readers() {
    return Set.copyOf(readers);
  }

  @Override
  public String read(int pid, ProcessMemory.Part part) {
    readers.add(Thread.currentThread());
    CountDownLatch latch = blocked.get(pid);
    if (latch != null) {
      blocking.add(pid);
      awaitForEver(latch);
    }
    return texts.getOrDefault(pid, "");
  }

  /** No interrupt ends such a read. */
  private static void awaitForEver(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException ignored) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
