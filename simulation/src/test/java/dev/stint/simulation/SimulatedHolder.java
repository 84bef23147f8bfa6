package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.PodPermissions;
import dev.stint.embedded.share.ServedConnection;
import dev.stint.embedded.share.Sharing;
import dev.stint.model.KubeObject;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.store.StoreException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * The data directory of a command that holds it: the control plane, which works on the claimed Jobs
 * of all commands, and their connections.
 */
final class SimulatedHolder {
  static final Surroundings SURROUNDINGS = Surroundings.of(Map.of(), Path.of("/"), "");

  private final SimulatedDirectory directory;
  private final SimulatedProcess process;
  private final HolderInfo info;
  private final boolean isServer;
  private final Runnable handOver;
  private final Sharing sharing;
  private final ControlPlane plane;
  private final Set<ServedConnection> connections = new LinkedHashSet<>();
  private final ClaimLaws laws = new ClaimLaws();
  private boolean closed;

  /**
   * Opens the store of a directory that the process has locked.
   *
   * @param isServer true for an {@code up}, which works on all Jobs, and keeps the directory
   * @param handOver called when another process asks for the directory
   */
  SimulatedHolder(
      SimulatedDirectory directory, SimulatedProcess process, boolean isServer, Runnable handOver) {
    this.directory = directory;
    this.process = process;
    this.isServer = isServer;
    this.handOver = handOver;
    this.info =
        new HolderInfo(1, isServer ? "up" : "run", "simulated", "", null, PodPermissions.NONE);
    this.sharing = new Sharing(SURROUNDINGS, isServer, process.threads());
    directory.recover();
    try {
      this.plane = new ControlPlane(directory.disk, options(), process.environment());
    } catch (StoreException unreadable) {
      throw new AssertionError("the store cannot be read", unreadable);
    }
  }

  private ControlPlaneOptions options() {
    Predicate<KubeObject> all = _ -> true;
    JobControllerOptions jobs = directory.jobs;
    return new ControlPlaneOptions(
            directory.store,
            new JobControllerOptions(
                jobs.claim(),
                isServer ? all : sharing.claims()::covers,
                jobs.gates(),
                jobs.engine(),
                jobs.syncBatchPeriod(),
                jobs.concurrentSyncs()),
            directory.maxPods,
            isServer ? all : sharing.claims()::coversPod)
        .withRepeatsOfLost(sharing::repeatsLost);
  }

  /** Claims Jobs for the command itself. */
  CompletableFuture<?> claim(List<JobClaim> claims) {
    return sharing.claim(claims).thenRun(() -> laws.granted(this, ClaimLaws.keys(claims)));
  }

  /** Serves other commands from now on. */
  void serve() {
    sharing.share(plane);
    directory.listen(this);
  }

  /** Starts to work on the Jobs. */
  CompletableFuture<?> start() {
    sharing.onStart();
    return plane.start(directory.runtime());
  }

  Cluster cluster() {
    return plane.cluster();
  }

  boolean isServer() {
    return isServer;
  }

  boolean isShared() {
    return sharing.hasOthers();
  }

  /** Returns the laws of its claims. */
  ClaimLaws claims() {
    return laws;
  }

  /** Serves a command. */
  void accept(SimulatedSocket.End end) {
    ClaimLaws.Ear ear = laws.new Ear(end);
    ServedConnection connection =
        new ServedConnection(
            ear,
            info,
            plane.cluster(),
            sharing.claims(),
            isServer ? null : () -> process.threads().execute(handOver));
    connections.add(connection);
    end.receive(new Client(ear, connection));
    connection.greet();
  }

  private final class Client implements SimulatedSocket.Receiver {
    private final ClaimLaws.Ear ear;
    private final ServedConnection connection;

    private Client(ClaimLaws.Ear ear, ServedConnection connection) {
      this.ear = ear;
      this.connection = connection;
    }

    @Override
    public void onMessage(ObjectNode message) {
      ear.onMessage(message);
      try {
        connection.onMessage(message);
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
    }

    @Override
    public void onEnd() {
      connection.close();
      connections.remove(connection);
      laws.left(ear);
      if (!closed) {
        sharing.claims().leave(connection);
      }
    }
  }

  /** Ends the pods of this process, so that the next start runs them again. */
  CompletableFuture<?> interrupt() {
    return plane.interrupt(sharing::isOwn);
  }

  /** Stops to work on Jobs; the API goes on. */
  void stop() {
    plane.stop();
  }

  /** Closes the directory for another process; pods go on. */
  void handOver() {
    List.copyOf(connections).forEach(ServedConnection::announceHandOver);
    close();
  }

  /** Closes the directory; the Jobs of other commands go on. */
  void close() {
    closed = true;
    directory.stopListening(this);
    List.copyOf(connections).forEach(ServedConnection::close);
    sharing.close();
    plane.close();
    directory.unlock(process);
  }
}
