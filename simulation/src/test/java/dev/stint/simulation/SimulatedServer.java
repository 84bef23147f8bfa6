package dev.stint.simulation;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An {@code up}: asks a {@code run} for the directory, and works on all Jobs until it ends. */
final class SimulatedServer {
  private static final Duration PAUSE = Duration.ofMillis(20);

  final SimulatedProcess process;
  private final SimulatedDirectory directory;
  private final Consumer<String> trace;
  private final Executor main;
  private @Nullable SimulatedHolder held;

  /** The holder that was asked to hand over. */
  private @Nullable SimulatedHolder asked;

  SimulatedServer(SimulatedDirectory directory, Consumer<String> trace) {
    this.directory = directory;
    this.trace = trace;
    this.process = directory.newProcess();
    this.main = process.thread();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** True if it holds the directory. */
  boolean holds() {
    return held != null && isAlive();
  }

  void start() {
    trace.accept("up starts");
    main.execute(this::enter);
  }

  private void enter() {
    if (directory.lock(process)) {
      trace.accept("up holds the directory");
      SimulatedHolder opened = new SimulatedHolder(directory, process, true, () -> {});
      held = opened;
      opened.serve();
      opened.start();
      return;
    }
    SimulatedHolder holder = directory.holder();
    if (holder != null && holder.isServer()) {
      process.end();
      return;
    }
    if (holder != null && holder != asked) {
      ask(holder);
    }
    process.timers().after(PAUSE, () -> main.execute(this::enter));
  }

  private void ask(SimulatedHolder holder) {
    asked = holder;
    SimulatedConnection.open(directory, process)
        .thenCompose(client -> client.takeOver().whenComplete((_, _) -> client.close()))
        .whenCompleteAsync((_, refused) -> asked = refused == null ? holder : null, main);
  }

  /** Ends in order: its own pods end, and those of others go on. */
  void end() {
    main.execute(() -> {
      SimulatedHolder own = held;
      if (own == null) {
        process.end();
      } else {
        trace.accept("up is told to end");
        own.interrupt()
            .whenCompleteAsync(
                (_, _) -> {
                  own.close();
                  process.end();
                },
                main);
      }
    });
  }
}
