package dev.stint.simulation;

import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.Scheduler;
import dev.stint.cluster.time.SimulatedTime;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.runner.runtime.SimulatedRuntime;
import dev.stint.store.StoreOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A machine with one data directory: its disk, its lock and its socket, and the containers of its
 * pods.
 */
final class SimulatedDirectory {
  final SimulatedTime time;
  final Scheduler scheduler;
  final SimulatedDisk disk;
  final JobControllerOptions jobs;
  final StoreOptions store;
  final int maxPods;
  final Random random;
  private final SimulatedRuntime.Script script;
  private final List<SimulatedSocket> sockets = new ArrayList<>();
  private Lifetime machine = new Lifetime();
  private SimulatedRuntime runtime;
  private boolean recovering;

  /** The process that has the lock; null if there is none. */
  private @Nullable SimulatedProcess owner;

  /** The holder that listens on the socket; null if there is none. */
  private @Nullable SimulatedHolder listening;

  SimulatedDirectory(
      SimulatedTime time,
      Scheduler scheduler,
      SimulatedDisk disk,
      JobControllerOptions jobs,
      StoreOptions store,
      int maxPods,
      SimulatedRuntime.Script script,
      Random random) {
    this.time = time;
    this.scheduler = scheduler;
    this.disk = disk;
    this.jobs = jobs;
    this.store = store;
    this.maxPods = maxPods;
    this.script = script;
    this.random = random;
    this.runtime = newRuntime();
  }

  private SimulatedRuntime newRuntime() {
    return new SimulatedRuntime(
        script, new Random(random.nextLong()), time, time.timersOf(machine));
  }

  SimulatedProcess newProcess() {
    return new SimulatedProcess(scheduler, time, new Random(random.nextLong()));
  }

  SimulatedRuntime runtime() {
    return runtime;
  }

  /** Ends all containers; the processes end by themselves. */
  void losePower() {
    machine.end();
    machine = new Lifetime();
    runtime = newRuntime();
  }

  /** Takes the lock; false if another process has it. */
  boolean lock(SimulatedProcess process) {
    if (owner != null) {
      return false;
    }
    owner = process;
    process.atEnd(() -> unlock(process));
    return true;
  }

  void unlock(SimulatedProcess process) {
    if (owner == process) {
      owner = null;
      listening = null;
    }
  }

  boolean isLockedBy(SimulatedProcess process) {
    return owner == process;
  }

  /** Reads what is on the disk; what the last holder has written may become durable with this. */
  void recover() {
    recovering = true;
    disk.crash(random);
    recovering = false;
  }

  /** True while changes of a holder become durable that has ended. */
  boolean isRecovering() {
    return recovering;
  }

  /** Listens on the socket, with the lock. */
  void listen(SimulatedHolder holder) {
    listening = holder;
  }

  void stopListening(SimulatedHolder holder) {
    if (listening == holder) {
      listening = null;
    }
  }

  /** Returns the holder; null if nobody serves. */
  @Nullable SimulatedHolder holder() {
    return listening;
  }

  /** Connects to the holder; null if nobody serves. */
  SimulatedSocket.@Nullable End connect(SimulatedProcess from) {
    SimulatedHolder holder = listening;
    SimulatedProcess to = owner;
    if (holder == null || to == null) {
      return null;
    }
    SimulatedSocket socket = new SimulatedSocket(from, to);
    from.atEnd(socket.client()::close);
    to.atEnd(socket.server()::close);
    sockets.removeIf(each -> !each.isInUse());
    sockets.add(socket);
    holder.accept(socket.server());
    return socket.client();
  }

  /** Lets all connections flow, also those that broke while they stalled. */
  void flow() {
    sockets.forEach(SimulatedSocket::flow);
  }

  /** Returns the connections. */
  List<SimulatedSocket> sockets() {
    return sockets.stream().filter(SimulatedSocket::isOpen).toList();
  }
}
