package dev.stint.cli.share;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.cli.location.EncryptionOptions;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.cli.plane.MetricsServing;
import dev.stint.cli.plane.RuntimeFactory;
import dev.stint.cluster.Cluster;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.Sharing;
import dev.stint.jobs.ApiCalls;
import dev.stint.runner.runtime.Runtime;
import dev.stint.store.StoreException;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of a {@code run} that holds it: a control plane that works on the claimed
 * Jobs, its own and those of the commands that have joined it.
 */
final class HeldDirectory implements AutoCloseable {
  private final Console console;
  private final MachineOptions options;
  private final DataDirectory directory;
  private final ControlPlane plane;
  private final MetricsServing metrics;
  private final Sharing sharing;
  private volatile boolean interrupting;
  private @Nullable AutoCloseable runtime;

  private HeldDirectory(
      Console console,
      MachineOptions options,
      DataDirectory directory,
      ControlPlane plane,
      MetricsServing metrics,
      Sharing sharing) {
    this.console = console;
    this.options = options;
    this.directory = directory;
    this.plane = plane;
    this.metrics = metrics;
    this.sharing = sharing;
  }

  /**
   * Opens the store in a directory, and serves other commands.
   *
   * @param directory locked by this process; closed with this object, and if this fails
   * @param claims the Jobs of this process, which no other command gets
   * @param succeeds true if this command takes the directory over from another one; then it must be
   *     able to decrypt all objects
   * @param handOver called when another process asks for the directory
   * @throws UserException if it cannot be opened
   */
  static HeldDirectory open(
      Console console,
      MachineOptions options,
      DataDirectory directory,
      List<JobClaim> claims,
      boolean succeeds,
      Runnable handOver) {
    Sharing sharing = new Sharing(options.surroundings(), false);
    MetricsServing metrics = options.controller().metrics();
    ControlPlaneOptions planeOptions =
        new ControlPlaneOptions(
                options.store(),
                options.controller().jobs(sharing.claims()::covers),
                options.maxPods(),
                sharing.claims()::coversPod)
            .with(metrics.metrics())
            .with(options.pods().machine(), options.pods().inputsTimeout())
            .withDevices(options.pods().devices())
            .withRepeatsOfLost(sharing::repeatsLost);
    ControlPlane plane = null;
    try {
      EncryptedEngine engine =
          new EncryptedEngine(RocksEngine.open(directory.store()), options.encryption());
      plane = new ControlPlane(engine, planeOptions);
      if (succeeds) {
        checkReadable(engine, options);
      }
      EncryptionOptions.report(engine, console);
      HeldDirectory opened =
          new HeldDirectory(console, options, directory, plane, metrics, sharing);
      ApiCalls.await(opened.claim(claims));
      sharing.open(directory, plane, options.holder("run"), handOver);
      return opened;
    } catch (IOException | StoreException fault) {
      release(plane, directory);
      throw new UserException("cannot open " + options.data().path() + ": " + fault.getMessage());
    } catch (RuntimeException fault) {
      release(plane, directory);
      throw fault;
    }
  }

  private static void checkReadable(EncryptedEngine engine, MachineOptions options) {
    if (!engine.unreadable().isEmpty()) {
      throw new UserException(
          "cannot take over "
              + options.data().path()
              + " with the keys of this command: "
              + engine.unreadable().getFirst());
    }
  }

  private static void release(@Nullable ControlPlane plane, DataDirectory directory) {
    if (plane != null) {
      plane.close();
    }
    directory.close();
  }

  Cluster cluster() {
    return plane.cluster();
  }

  /** Completes with the reason why the store cannot be written any more. */
  CompletableFuture<String> failure() {
    return plane.failure().thenApply(why -> String.valueOf(why.getMessage()));
  }

  /** Claims Jobs for this process. */
  CompletableFuture<?> claim(List<JobClaim> claims) {
    return sharing.claim(claims);
  }

  /** True if other commands have Jobs here. */
  boolean isShared() {
    return sharing.hasOthers();
  }

  /**
   * Starts to work on the claimed Jobs; fails if the pods of an earlier holder cannot be adopted.
   */
  CompletableFuture<?> start() {
    metrics.open(plane, console);
    Runtime opened =
        RuntimeFactory.open(
            options.runtime(), options.pods(), sharing::surroundings, directory, console, plane);
    runtime = opened instanceof AutoCloseable found ? found : null;
    sharing.onStart();
    return plane.start(opened);
  }

  /** Ends the pods of this process, so that the next start runs them again. */
  void interrupt() {
    interrupting = true;
    try {
      plane.interrupt(sharing::isOwn).get();
      RuntimeFactory.onInterrupted(runtime, !isShared(), directory, console);
    } catch (InterruptedException | ExecutionException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Ends the pods that {@link #interrupt} waits for at once; does nothing before it. */
  void interruptNow() {
    if (interrupting) {
      plane.interruptNow(sharing::isOwn);
    }
  }

  /** Stops to work on Jobs; the API goes on. */
  void stop() {
    plane.stop();
  }

  /** Closes the directory for another process; pods go on. */
  void handOver() {
    sharing.announceHandOver();
    close();
  }

  @Override
  public void close() {
    sharing.close();
    metrics.close();
    plane.close();
    if (runtime != null) {
      RuntimeFactory.close(runtime);
    }
    directory.close();
  }
}
