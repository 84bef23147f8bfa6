package dev.stint.runner.process;

import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;
import java.util.concurrent.CompletableFuture;

/** Waits for the end of an attempt. */
final class ExitListener implements AttemptListener {
  final CompletableFuture<Exit> exit = new CompletableFuture<>();

  /** The first reason to wait, and its details. */
  final CompletableFuture<String> waits = new CompletableFuture<>();

  @Override
  public void onWaiting(String reason, String message) {
    waits.complete(reason + ": " + message);
  }

  @Override
  public void onStarted(StartedContainer at) {}

  @Override
  public void onExited(Exit how) {
    exit.complete(how);
  }
}
