package dev.stint.cli.location;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.share.ClusterClient;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.OtherVersionException;
import dev.stint.embedded.share.ReconnectingCluster;
import dev.stint.embedded.share.SilentHolderException;
import dev.stint.jobs.ApiCalls;
import dev.stint.store.StoreException;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the command that holds a data directory, and to the next one when it ends. When
 * nobody holds the directory any more, this command opens it, only to read how things ended.
 */
final class HolderConnection implements AutoCloseable {
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(20);

  /** The time in which a command that has joined the last holder takes the directory over. */
  private static final Duration SUCCESSION = Duration.ofSeconds(2);

  /** The interval between looks whether Jobs are still claimed. */
  private static final Duration CLAIMS_INTERVAL = Duration.ofSeconds(1);

  private static final int MOST_MISSES = 3;

  private final DataLocation data;
  private final EncryptionConfiguration encryption;
  private final ReconnectingCluster cluster = new ReconnectingCluster();
  private final CompletableFuture<@Nullable Void> released = new CompletableFuture<>();
  private final Timers timers;
  private ClusterClient client;
  private @Nullable DataDirectory directory;
  private @Nullable ControlPlane plane;
  private boolean closed;

  private HolderConnection(
      DataLocation data, EncryptionConfiguration encryption, Timers timers, ClusterClient client) {
    this.data = data;
    this.encryption = encryption;
    this.timers = timers;
    this.client = client;
  }

  /**
   * Connects to the holder.
   *
   * @throws IOException if it does not serve
   */
  static HolderConnection open(DataLocation data, EncryptionConfiguration encryption, Timers timers)
      throws IOException {
    ClusterClient client = ClusterClient.connect(data.path(), timers);
    HolderConnection connection = new HolderConnection(data, encryption, timers, client);
    connection.use(client);
    return connection;
  }

  private synchronized void use(ClusterClient next) {
    client = next;
    cluster.connect(next);
    next.lost().thenRun(() -> Thread.ofVirtual().name("stint-reconnect").start(this::reconnect));
  }

  Cluster cluster() {
    return cluster;
  }

  /** Returns the keys of the Jobs that a command works on; none once nobody holds the directory. */
  Set<String> claims() {
    while (!released.isDone()) {
      try {
        return ApiCalls.await(client().claims());
      } catch (ClusterException lost) {
        LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
      }
    }
    return Set.of();
  }

  /** True if a command works on a Job, or does so soon: a new holder learns of it in a moment. */
  boolean isClaimedSoon(String key) {
    long end = System.nanoTime() + SUCCESSION.toNanos();
    while (!claims().contains(key)) {
      if (released.isDone() || System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
    }
    return true;
  }

  /**
   * Completes when a Job is not claimed any more, or nobody holds the directory.
   *
   * @param keys returns the keys of the Jobs that are asked about, see {@link JobClaim#key}
   */
  CompletableFuture<@Nullable Void> left(Supplier<Set<String>> keys) {
    CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
    released.thenRun(() -> left.complete(null));
    lookAgain(keys, left, 0);
    return left;
  }

  /**
   * @param misses how often in a row a Job was not claimed; a new holder learns of it in a moment
   */
  private void lookAgain(
      Supplier<Set<String>> keys, CompletableFuture<@Nullable Void> left, int misses) {
    if (misses > MOST_MISSES) {
      left.complete(null);
    } else if (!left.isDone()) {
      timers.after(
          CLAIMS_INTERVAL,
          () ->
              Thread.ofVirtual()
                  .name("stint-claims")
                  .start(() ->
                      lookAgain(keys, left, claims().containsAll(keys.get()) ? 0 : misses + 1)));
    }
  }

  private synchronized ClusterClient client() {
    return client;
  }

  /** Completes when nobody holds the directory any more. */
  CompletableFuture<@Nullable Void> released() {
    return released;
  }

  private void reconnect() {
    long succession = System.nanoTime() + SUCCESSION.toNanos();
    while (!tryAgain(System.nanoTime() - succession > 0)) {
      LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
    }
  }

  /**
   * Connects to the next holder, or takes the directory.
   *
   * @param free true if nobody took it over in time
   */
  private synchronized boolean tryAgain(boolean free) {
    if (closed) {
      return true;
    }
    try {
      use(ClusterClient.connect(data.path(), timers));
      return true;
    } catch (SilentHolderException | OtherVersionException fault) {
      fail(fault);
      return true;
    } catch (IOException notYet) {
      return free && takeIdle();
    }
  }

  private boolean takeIdle() {
    try {
      DataDirectory own = DataDirectory.open(data.path());
      directory = own;
      ControlPlane opened =
          new ControlPlane(
              new EncryptedEngine(RocksEngine.open(own.store()), encryption),
              ControlPlaneOptions.DEFAULT);
      plane = opened;
      cluster.connect(opened.cluster());
      released.complete(null);
      return true;
    } catch (DataDirectoryException inUse) {
      if (inUse.holder() != null) {
        return false;
      }
      fail(inUse);
    } catch (IOException | StoreException fault) {
      fail(fault);
    }
    return true;
  }

  private void fail(Exception fault) {
    cluster.fail(
        new ClusterException(
            Reason.UNAVAILABLE, "cannot open " + data.path() + ": " + fault.getMessage()));
    released.complete(null);
  }

  @Override
  public synchronized void close() {
    closed = true;
    client.close();
    if (plane != null) {
      plane.close();
    }
    if (directory != null) {
      directory.close();
    }
  }
}
