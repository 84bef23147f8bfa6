package dev.stint.runner.process;

import dev.stint.runner.AttemptListener;
import dev.stint.runner.Exit;
import dev.stint.runner.Started;
import java.util.concurrent.CompletableFuture;

/** Waits for the end of an attempt. */
final class ExitListener implements AttemptListener {
  final CompletableFuture<Exit> exit = new CompletableFuture<>();

  @Override
  public void started(Started at) {}

  @Override
  public void exited(Exit how) {
    exit.complete(how);
  }
}
