package dev.stint.cli.location;

import dev.stint.apiserver.encryption.EncryptedEngine;
import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.JobsTarget.TargetKind;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.share.OtherVersionException;
import dev.stint.embedded.share.SilentHolderException;
import dev.stint.kube.KubeCluster;
import dev.stint.store.StoreException;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Opens a data directory as the target of a command: directly if it is idle, and otherwise through
 * the API of the command that has it open.
 *
 * @param flags the flags that name it, each with a space before it
 */
record DataTargetOpener(
    DataLocation data, EncryptionConfiguration encryption, String namespace, String flags) {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final long ANSWER_TIMEOUT_SECONDS = 10;
  private static final long STARTING_SECONDS = 30;
  private static final long RETRY_NANOS = 100_000_000;

  /**
   * Opens an existing data directory.
   *
   * @param namespace null for the default one
   * @throws UserException if it cannot be opened
   */
  static JobsTarget open(
      DataLocation data,
      EncryptionConfiguration encryption,
      @Nullable String namespace,
      String flags) {
    if (!Files.exists(data.path())) {
      throw new UserException(
          "the data directory %s does not exist; name another one with --data DIR, or a cluster with --kubeconfig FILE"
              .formatted(data.path()));
    }
    String own = namespace == null ? DEFAULT_NAMESPACE : namespace;
    return new DataTargetOpener(data, encryption, own, flags).open();
  }

  private JobsTarget open() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTING_SECONDS);
    while (true) {
      try {
        return openIdle(data.open());
      } catch (DataDirectoryException refused) {
        String named = refused.holder();
        if (named == null) {
          throw new UserException(String.valueOf(refused.getMessage()));
        }
        DirectoryHolder holder = new DirectoryHolder(named);
        boolean serves = holder.serves();
        JobsTarget served = connect(holder);
        if (served != null) {
          return served;
        } else if (!serves || System.nanoTime() - end > 0) {
          return held(named, serves);
        }
        LockSupport.parkNanos(RETRY_NANOS); // It has just begun, or just ended.
      }
    }
  }

  private JobsTarget openIdle(DataDirectory directory) {
    try {
      ControlPlane plane =
          new ControlPlane(
              new EncryptedEngine(RocksEngine.open(directory.store()), encryption),
              ControlPlaneOptions.DEFAULT);
      return target(
          TargetKind.IDLE_DATA, plane.cluster(), plane.timers(), List.of(plane, directory));
    } catch (IOException | StoreException fault) {
      directory.close();
      throw new UserException("cannot open " + data.path() + ": " + fault.getMessage());
    }
  }

  private JobsTarget target(
      TargetKind kind, Cluster cluster, Timers timers, List<AutoCloseable> parts) {
    return new JobsTarget(kind, cluster, null, data, namespace, flags, timers, parts);
  }

  /** Returns a target whose holder serves no API, so that only its files can be read. */
  private JobsTarget held(String holder, boolean serves) {
    String who = data.path() + " is in use by " + DataLocation.readable(holder);
    String refusal =
        serves
            ? who + ", whose API does not answer; try again, or read its output"
            : who + ", which serves no API; wait until it exits, or use stint up instead of it";
    return new JobsTarget(
        TargetKind.HELD_DATA, null, refusal, data, namespace, flags, (_, _) -> () -> {}, List.of());
  }

  /** Returns the API of the command that has the directory open; null if none answers. */
  private @Nullable JobsTarget connect(DirectoryHolder holder) {
    if (holder.isServer()) { // Over HTTPS, so that its audit log has everything.
      return connectToServer();
    }
    ThreadTimers timers = new ThreadTimers();
    try {
      HolderConnection connection = HolderConnection.open(data, encryption, timers);
      return target(
          TargetKind.JOINED_DATA, connection.cluster(), timers, List.of(connection, timers));
    } catch (OtherVersionException other) {
      timers.close();
      throw data.otherVersion();
    } catch (SilentHolderException silent) {
      timers.close();
      throw data.silent(holder.line());
    } catch (IOException starting) {
      timers.close();
      return null;
    }
  }

  /** Returns the API of the {@code up} that has the directory open; null if none answers. */
  private @Nullable JobsTarget connectToServer() {
    Path kubeconfig = data.layout().kubeconfig();
    if (!Files.isReadable(kubeconfig)) {
      return null;
    }
    ThreadTimers timers = new ThreadTimers();
    try {
      KubeCluster cluster = KubeCluster.of(kubeconfig, null, timers);
      if (isReachable(cluster)) {
        return target(TargetKind.SERVED_DATA, cluster, timers, List.of(cluster, timers));
      }
      cluster.close();
    } catch (IllegalArgumentException ofAnOlderTime) {
      // An outdated kubeconfig: there is no API to ask.
    }
    timers.close();
    return null;
  }

  /**
   * True if the cluster answers. An earlier {@code up} may have left its kubeconfig although a
   * {@code run} works there now.
   */
  private static boolean isReachable(KubeCluster cluster) {
    try {
      return !cluster.version().get(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException nobody) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
