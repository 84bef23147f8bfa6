package dev.stint.cli.target;

import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.runner.log.LogTree;
import dev.stint.store.RocksEngine;
import dev.stint.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the Jobs are that a command is about: a data directory that nobody has open, the API of the
 * {@code up} that has, or another cluster. Where a data directory's holder serves no API, what is
 * in files can be read all the same.
 */
public final class JobsTarget implements AutoCloseable {
  private static final String DEFAULT_NAMESPACE = "default";
  private static final long PATIENCE_SECONDS = 10;

  private static final long STARTING_SECONDS = 30;
  private static final long LOOK_AGAIN_NANOS = 100_000_000;

  /** How the lock of a data directory names an {@code up}. */
  private static final Pattern SERVES = Pattern.compile("Main up\\b");

  /** How the lock of a data directory names who holds it. */
  private static final Pattern PID = Pattern.compile("\\bpid (\\d{1,18})\\b");

  /** Which of them it is. */
  enum Place {
    /** A data directory that is ours now: nothing works on its Jobs meanwhile. */
    IDLE_DATA,
    /** A data directory that an {@code up} works on. */
    SERVED_DATA,
    /** A data directory that another command works on, which serves no API. */
    HELD_DATA,
    /** A cluster somewhere. */
    CLUSTER
  }

  private final Place place;
  private final @Nullable Cluster cluster;
  private final @Nullable String refusal;
  private final @Nullable DataLocation data;
  private final String namespace;
  private final String flags;
  private final Timers timers;
  private final List<AutoCloseable> parts;

  private JobsTarget(
      Place place,
      @Nullable Cluster cluster,
      @Nullable String refusal,
      @Nullable DataLocation data,
      String namespace,
      String flags,
      Timers timers,
      List<AutoCloseable> parts) {
    this.place = place;
    this.cluster = cluster;
    this.refusal = refusal;
    this.data = data;
    this.namespace = namespace;
    this.flags = flags;
    this.timers = timers;
    this.parts = parts;
  }

  /**
   * A cluster that a kubeconfig file describes. Connects to nothing yet.
   *
   * @param namespace null for that of the context
   * @param flags the flags that name it
   */
  static JobsTarget ofCluster(
      Path kubeconfig, @Nullable String context, @Nullable String namespace, String flags) {
    ThreadTimers timers = new ThreadTimers();
    try {
      KubeCluster cluster = ClusterConnections.open("--kubeconfig", kubeconfig, context, timers);
      String own = namespace == null ? cluster.namespace() : namespace;
      return new JobsTarget(
          Place.CLUSTER, cluster, null, null, own, flags, timers, List.of(cluster, timers));
    } catch (UserException fault) {
      timers.close();
      throw fault;
    }
  }

  /**
   * A data directory, which has to be there.
   *
   * @throws UserException where it can't be opened
   */
  static JobsTarget ofData(DataLocation data, @Nullable String namespace, String flags) {
    String own = namespace == null ? DEFAULT_NAMESPACE : namespace;
    if (!Files.exists(data.path())) {
      throw new UserException(
          "there is no data directory %s: nothing has run there yet; name another one with --data DIR, or a cluster with --kubeconfig FILE"
              .formatted(data.path()));
    }
    try {
      DataDirectory directory = data.open();
      return idle(directory, data, own, flags);
    } catch (DataDirectoryException refused) {
      if (refused.holder() == null) {
        throw new UserException(String.valueOf(refused.getMessage()));
      }
      return held(refused.holder(), data, own, flags);
    }
  }

  private static JobsTarget idle(
      DataDirectory directory, DataLocation data, String namespace, String flags) {
    try {
      ControlPlane plane =
          new ControlPlane(RocksEngine.open(directory.store()), ControlPlane.Options.DEFAULT);
      List<AutoCloseable> parts = List.of(plane, directory);
      return new JobsTarget(
          Place.IDLE_DATA, plane.cluster(), null, data, namespace, flags, plane.timers(), parts);
    } catch (IOException | StoreException fault) {
      directory.close();
      throw new UserException("cannot open " + data.path() + ": " + fault.getMessage());
    }
  }

  private static JobsTarget held(String holder, DataLocation data, String namespace, String flags) {
    boolean serves = SERVES.matcher(holder).find();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(serves ? STARTING_SECONDS : 0);
    do {
      JobsTarget served = served(data, namespace, flags);
      if (served != null) {
        return served;
      }
      if (serves) {
        LockSupport.parkNanos(LOOK_AGAIN_NANOS); // It has just begun.
      }
    } while (System.nanoTime() - end < 0);
    String who = data.path() + " is in use by " + DataLocation.words(holder);
    String refusal =
        serves
            ? who + ", whose API does not answer; try again, or see what it says"
            : who + ", which serves no API; wait until it ends, or use stint up, which does";
    return new JobsTarget(
        Place.HELD_DATA, null, refusal, data, namespace, flags, (_, _) -> () -> {}, List.of());
  }

  /** By the API of the {@code up} that has it open; null where none answers. */
  private static @Nullable JobsTarget served(DataLocation data, String namespace, String flags) {
    Path kubeconfig = data.path().resolve("kubeconfig");
    if (!Files.isReadable(kubeconfig)) {
      return null;
    }
    ThreadTimers timers = new ThreadTimers();
    try {
      KubeCluster cluster = KubeCluster.of(kubeconfig, null, timers);
      if (answers(cluster)) {
        return new JobsTarget(
            Place.SERVED_DATA,
            cluster,
            null,
            data,
            namespace,
            flags,
            timers,
            List.of(cluster, timers));
      }
      cluster.close();
    } catch (IllegalArgumentException ofAnOlderTime) {
      // Nothing that could be asked.
    }
    timers.close();
    return null;
  }

  /** An earlier {@code up} may have left its kubeconfig where a {@code run} is at work now. */
  private static boolean answers(KubeCluster cluster) {
    try {
      return !cluster.version().get(PATIENCE_SECONDS, TimeUnit.SECONDS).isEmpty();
    } catch (java.util.concurrent.ExecutionException | TimeoutException nobody) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Place place() {
    return place;
  }

  /**
   * Its API.
   *
   * @throws UserException where there is none, with who has the data directory open
   */
  public Cluster cluster() {
    Cluster found = cluster;
    if (found == null) {
      throw new UserException(Objects.requireNonNull(refusal));
    }
    return found;
  }

  /** Its API, where there is one. */
  public Optional<Cluster> clusterIfAny() {
    return Optional.ofNullable(cluster);
  }

  /** The logs of its pods, where they are on this machine. */
  public Optional<LogTree> logs() {
    return Optional.ofNullable(data).map(at -> new LogTree(at.path().resolve("logs")));
  }

  /**
   * Completes when the process ends that has the data directory open and serves no API; empty where
   * there is none, or nobody knows which.
   */
  public Optional<CompletableFuture<?>> holder() {
    Matcher pid = PID.matcher(refusal == null ? "" : refusal);
    return pid.find()
        ? ProcessHandle.of(Long.parseLong(pid.group(1))).map(ProcessHandle::onExit)
        : Optional.empty();
  }

  /** The data directory, where it is one. */
  public Optional<DataLocation> data() {
    return Optional.ofNullable(data);
  }

  /** Its API as a client of HTTP, where it is one. */
  Optional<KubeCluster> remote() {
    return cluster instanceof KubeCluster found ? Optional.of(found) : Optional.empty();
  }

  /** The namespace of what is named without one. */
  public String namespace() {
    return namespace;
  }

  /** The flags that name it, each with a space before it, for commands to do next. */
  public String flags() {
    return flags;
  }

  /** Whether something works on its Jobs, as far as can be known. */
  public boolean atWork() {
    return place != Place.IDLE_DATA;
  }

  /** The data directory, where it is one that nobody works on. */
  public Optional<Path> idle() {
    return atWork() ? Optional.empty() : data().map(DataLocation::path);
  }

  /** A Job by its name, which may say its kind, as {@code job/NAME} and {@code job.batch/NAME}. */
  public Optional<KubeObject> find(String given) {
    ObjectRef ref = new ObjectRef(Kind.JOB, namespace, name(given));
    return Optional.ofNullable(ApiCalls.find(cluster(), ref));
  }

  /**
   * The same of one that has to be there.
   *
   * @throws UserException where it is not
   */
  public KubeObject job(String given) {
    return find(given).orElseThrow(() -> missing(given));
  }

  /** The pods of a Job that there still are. */
  public List<KubeObject> pods(KubeObject job) {
    return JobChanges.pods(cluster(), job);
  }

  public UserException missing(String given) {
    List<String> names = new ArrayList<>();
    ApiCalls.await(cluster().list(Kind.JOB, namespace))
        .items()
        .forEach(job -> names.add(job.name()));
    String there =
        names.isEmpty()
            ? "there are no Jobs"
            : names.size() > 10 ? "stint ls tells which there are" : String.join(", ", names);
    return new UserException(
        "there is no Job \"%s\" in namespace %s (%s)".formatted(name(given), namespace, there));
  }

  /** The name alone. */
  public static String name(String given) {
    for (String kind : List.of("job/", "jobs/", "job.batch/", "jobs.batch/")) {
      if (given.startsWith(kind)) {
        return given.substring(kind.length());
      }
    }
    return given;
  }

  @Override
  public void close() {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception fault) {
        throw new IllegalStateException(fault);
      }
    }
  }

  /** Returns the timers for whoever follows objects here. */
  public Timers timers() {
    return timers;
  }
}
