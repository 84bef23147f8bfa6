package dev.stint.cli.serve;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cluster.ClusterException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of an {@code up}: the first reason to end it counts, and the user is told of that one. A
 * store that can no longer write lets other things fail too; those are not reasons of their own.
 */
final class UpEnd {
  private static final Logger LOG = LoggerFactory.getLogger(UpEnd.class);

  private final Console console;
  private final Supplier<CompletableFuture<? extends Exception>> storeFailure;
  private final CompletableFuture<Integer> status = new CompletableFuture<>();

  /**
   * @param storeFailure returns a future of the cause why the store can no longer write, which is
   *     done before any write is refused for it
   */
  UpEnd(Console console, Supplier<CompletableFuture<? extends Exception>> storeFailure) {
    this.console = console;
    this.storeFailure = storeFailure;
    storeFailure.get().thenAccept(this::onStoreFailure);
  }

  private void onStoreFailure(Exception why) {
    console.say(String.valueOf(why.getMessage()));
    status.complete(ExitCode.USAGE.status());
  }

  /** Returns the exit status, once there is a reason to end. */
  CompletableFuture<Integer> status() {
    return status.copy();
  }

  /** Ends the command for a signal; false if there is an earlier reason. */
  boolean onSignal(int signalled) {
    return status.complete(signalled);
  }

  /**
   * Ends the command for a fault of Stint itself.
   *
   * @param what what cannot be done
   */
  void onFault(String what, Throwable fault) {
    Throwable cause = ClusterException.causeOf(fault);
    if (!followsFromStore(cause)) {
      console.say(what + ": " + cause.getMessage());
      status.complete(ExitCode.INTERNAL.status());
    }
  }

  /** Takes the steps of a start, waits for the end, and returns the exit status. */
  int await(Runnable steps) {
    try {
      steps.run();
    } catch (RuntimeException fault) {
      if (!followsFromStore(fault)) {
        throw fault;
      }
    }
    return status.join();
  }

  private boolean followsFromStore(Throwable fault) {
    boolean follows = storeFailure.get().isDone();
    if (follows) {
      LOG.debug("This follows from the failure of the store", fault);
    }
    return follows;
  }
}
