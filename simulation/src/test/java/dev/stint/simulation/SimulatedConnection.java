package dev.stint.simulation;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.embedded.share.ClusterClient;
import dev.stint.embedded.share.OtherVersionException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The way of a command to the process that holds the directory: waits until that greets. */
final class SimulatedConnection implements SimulatedSocket.Receiver {
  private final SimulatedProcess process;
  private final SimulatedSocket.End end;
  private final CompletableFuture<ClusterClient> greeted = new CompletableFuture<>();
  private @Nullable ClusterClient client;

  private SimulatedConnection(SimulatedProcess process, SimulatedSocket.End end) {
    this.process = process;
    this.end = end;
  }

  /**
   * Connects to the holder.
   *
   * @return fails with {@code CONFLICT} if nobody serves yet, and otherwise if the holder is silent
   */
  static CompletableFuture<ClusterClient> open(
      SimulatedDirectory directory, SimulatedProcess process) {
    SimulatedSocket.End end = directory.connect(process);
    if (end == null) {
      return CompletableFuture.failedFuture(ended());
    }
    SimulatedConnection connection = new SimulatedConnection(process, end);
    end.receive(connection);
    Runnable cancel = ClusterClient.awaitGreeting(process.timers(), connection::onSilence);
    connection.greeted.whenComplete((_, _) -> cancel.run());
    return connection.greeted;
  }

  private static ClusterException ended() {
    return new ClusterException(Reason.CONFLICT, "nobody serves the directory");
  }

  private void onSilence() {
    if (greeted.completeExceptionally(
        new ClusterException(Reason.UNAVAILABLE, "the holder does not answer"))) {
      end.close();
    }
  }

  @Override
  public void onMessage(ObjectNode message) {
    ClusterClient used = client;
    if (used != null) {
      used.onMessage(message);
      return;
    }
    try {
      ClusterClient fresh =
          ClusterClient.greeted(end, message, process.timers(), process.threads());
      client = fresh;
      if (!greeted.complete(fresh)) {
        fresh.close();
      }
    } catch (OtherVersionException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public void onEnd() {
    greeted.completeExceptionally(ended());
    ClusterClient used = client;
    if (used != null) {
      used.close();
    }
  }
}
