package dev.stint.cli.location;

import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RandomGenerators;
import dev.stint.embedded.ThreadTimers;
import dev.stint.embedded.share.JobClaim;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobInterruption;
import dev.stint.jobs.JobPodRemoval;
import dev.stint.jobs.SharedLists;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.PatientCluster;
import dev.stint.runner.log.LogTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs that a command is about, with their API: an idle data directory, the API of the {@code
 * up} or {@code run} that has it open, or another cluster. If the holder of a data directory serves
 * no API, its files can be read all the same.
 */
public final class JobsTarget implements AutoCloseable {
  /** Matches the process ID in the lock of a data directory. */
  private static final Pattern PID = Pattern.compile("\\bpid (\\d{1,18})\\b");

  /** The kinds of targets. */
  enum TargetKind {
    /** A data directory that this command has opened, so that no controller is running. */
    IDLE_DATA,
    /** A data directory that an {@code up} works on. */
    SERVED_DATA,
    /** A data directory that a {@code run} works on. */
    JOINED_DATA,
    /** A data directory that another command works on, which serves no API. */
    HELD_DATA,
    /** A cluster somewhere. */
    CLUSTER
  }

  private final TargetKind kind;
  private final @Nullable Cluster cluster;
  private final @Nullable String refusal;
  private final @Nullable DataLocation data;
  private final String namespace;
  private final String flags;
  private final Timers timers;
  private final List<AutoCloseable> parts;
  private final @Nullable HolderConnection connection;
  private @Nullable Set<String> claims;
  private @Nullable JobPodRemoval podRemoval;

  JobsTarget(
      TargetKind kind,
      @Nullable Cluster cluster,
      @Nullable String refusal,
      @Nullable DataLocation data,
      String namespace,
      String flags,
      Timers timers,
      List<AutoCloseable> parts) {
    this.kind = kind;
    this.cluster = cluster;
    this.refusal = refusal;
    this.data = data;
    this.namespace = namespace;
    this.flags = flags;
    this.timers = timers;
    this.parts = parts;
    this.connection =
        parts.isEmpty() || !(parts.getFirst() instanceof HolderConnection found) ? null : found;
  }

  /**
   * Returns a cluster. Does not connect yet.
   *
   * @param namespace null for that of the context
   * @param flags the flags that name it
   */
  static JobsTarget ofCluster(ChosenTarget.Far far, @Nullable String namespace, String flags) {
    ThreadTimers timers = new ThreadTimers();
    try {
      KubeCluster cluster = ClusterConnections.open(far, timers);
      String own = namespace == null ? cluster.namespace() : namespace;
      return new JobsTarget(
          TargetKind.CLUSTER,
          new PatientCluster(cluster, timers),
          null,
          null,
          own,
          flags,
          timers,
          List.of(cluster, timers));
    } catch (UserException fault) {
      timers.close();
      throw fault;
    }
  }

  TargetKind kind() {
    return kind;
  }

  /**
   * Returns its API.
   *
   * @throws UserException if there is none; the message names the holder of the data directory
   */
  public Cluster cluster() {
    Cluster found = cluster;
    if (found == null) {
      throw new UserException(Objects.requireNonNull(refusal));
    }
    return found;
  }

  /** Returns its API, if there is one. */
  public Optional<Cluster> clusterIfAny() {
    return Optional.ofNullable(cluster);
  }

  /** Returns the logs of its pods, if they are on this machine. */
  public Optional<LogTree> logs() {
    return Optional.ofNullable(data).map(at -> new LogTree(at.logs()));
  }

  /**
   * Completes when the process ends that has the data directory open and serves no API; empty if
   * there is none, or if it is unknown.
   */
  public Optional<CompletableFuture<?>> holder() {
    Matcher pid = PID.matcher(refusal == null ? "" : refusal);
    return pid.find()
        ? ProcessHandle.of(Long.parseLong(pid.group(1))).map(ProcessHandle::onExit)
        : Optional.empty();
  }

  /** Returns the data directory, if it is one. */
  public Optional<DataLocation> data() {
    return Optional.ofNullable(data);
  }

  /** Returns the cluster, if it is neither a data directory nor the API of one. */
  public Optional<KubeCluster> farCluster() {
    return kind == TargetKind.CLUSTER ? remote() : Optional.empty();
  }

  /** Returns its API as an HTTP client, if it is one. */
  public Optional<KubeCluster> remote() {
    return parts.isEmpty() || !(parts.getFirst() instanceof KubeCluster found)
        ? Optional.empty()
        : Optional.of(found);
  }

  /** Returns one line that names its cluster; empty if it is a data directory. */
  Optional<String> description() {
    return kind == TargetKind.CLUSTER
        ? remote().map(found -> ClusterConnections.describe(found) + ", namespace " + namespace)
        : Optional.empty();
  }

  /** Returns the default namespace. */
  public String namespace() {
    return namespace;
  }

  /** Returns the flags that name it, each with a space before it, for further commands. */
  public String flags() {
    return flags;
  }

  /** True if something works on its Jobs, as far as known. */
  public boolean hasController() {
    return kind != TargetKind.IDLE_DATA;
  }

  /** True if a new Job is for a {@code run} in its data directory, as no {@code up} is there. */
  public boolean runsHere() {
    return kind == TargetKind.IDLE_DATA || kind == TargetKind.JOINED_DATA;
  }

  /** True if something works on a Job, as far as known. */
  public boolean isWorkedOn(KubeObject job) {
    return connection == null
        ? hasController()
        : claims().contains(JobClaim.key(job.namespace(), job.name()));
  }

  /** True if something works on a Job, or does so soon, as far as known. */
  public boolean isWorkedOnSoon(KubeObject job) {
    return connection == null
        ? hasController()
        : connection.isClaimedSoon(JobClaim.key(job.namespace(), job.name()));
  }

  private Set<String> claims() {
    Set<String> known = claims;
    if (known == null) {
      known = Objects.requireNonNull(connection).claims();
      claims = known;
    }
    return known;
  }

  /**
   * Completes when no command works on one of these Jobs any more that did when this one began.
   *
   * @param jobs returns the unfinished Jobs that are asked about
   */
  public CompletableFuture<@Nullable Void> left(Supplier<List<KubeObject>> jobs) {
    return connection == null
        ? new CompletableFuture<>()
        : connection.left(() ->
            jobs.get().stream()
                .map(job -> JobClaim.key(job.namespace(), job.name()))
                .collect(Collectors.toSet()));
  }

  /** True if a command works on a Job now, whatever was known before. */
  public boolean isStillWorkedOn(KubeObject job) {
    return connection == null
        ? hasController()
        : connection.claims().contains(JobClaim.key(job.namespace(), job.name()));
  }

  /** True if no command works on the directory any more that did when this one began. */
  public boolean isReleased() {
    return connection != null && connection.released().isDone();
  }

  /**
   * Deletes a Job with its pods and its list. Where no controller deletes these, a Job that runs is
   * interrupted before. Others may delete the Job meanwhile.
   */
  public void delete(KubeObject job) {
    try {
      deleteExisting(job);
    } catch (ClusterException refused) {
      if (refused.reason() != ClusterException.Reason.NOT_FOUND) {
        throw refused;
      }
    }
  }

  private void deleteExisting(KubeObject job) {
    boolean collected = kind == TargetKind.SERVED_DATA || kind == TargetKind.CLUSTER;
    if (!collected && isWorkedOn(job)) {
      JobInterruption.begin(cluster(), job.ref());
      ApiCalls.await(JobInterruption.awaitEnd(cluster(), job.ref(), timers, random()));
    }
    if (!collected) {
      podRemoval().removePodsOf(job);
    }
    JobChanges.delete(cluster(), job);
    if (!collected) {
      SharedLists.deleteUnowned(cluster(), job);
    }
  }

  private JobPodRemoval podRemoval() {
    JobPodRemoval known = podRemoval;
    if (known == null) {
      known = new JobPodRemoval(cluster());
      podRemoval = known;
    }
    return known;
  }

  /** Returns the data directory, if no controller is running on it. */
  public Optional<Path> idleData() {
    return hasController() ? Optional.empty() : data().map(DataLocation::path);
  }

  /**
   * Finds a Job by its name, which may include its kind, as {@code job/NAME} and {@code
   * job.batch/NAME}.
   */
  public Optional<KubeObject> find(String given) {
    ObjectRef ref = new ObjectRef(Kind.JOB, namespace, name(given));
    return Optional.ofNullable(ApiCalls.find(cluster(), ref));
  }

  /**
   * Returns an existing Job by its name.
   *
   * @throws UserException if it does not exist
   */
  public KubeObject job(String given) {
    return find(given).orElseThrow(() -> noSuchJob(given));
  }

  /** Returns the existing pods of a Job. */
  public List<KubeObject> pods(KubeObject job) {
    return JobChanges.pods(cluster(), job);
  }

  public UserException noSuchJob(String given) {
    List<String> names = new ArrayList<>();
    ApiCalls.await(cluster().list(Kind.JOB, namespace))
        .items()
        .forEach(job -> names.add(job.name()));
    String there =
        names.isEmpty()
            ? "it has no Jobs"
            : names.size() > 10
                ? "stint ls lists its Jobs"
                : "its Jobs: " + String.join(", ", names);
    return new UserException(
        "no Job \"%s\" in namespace %s (%s)".formatted(name(given), namespace, there));
  }

  /** Returns the name without its kind. */
  public static String name(String given) {
    for (String kind : List.of("job/", "jobs/", "job.batch/", "jobs.batch/")) {
      if (given.startsWith(kind)) {
        return given.substring(kind.length());
      }
    }
    return given;
  }

  /**
   * Returns the name without its kind.
   *
   * @throws UserException if it is malformed: it must not lead to other directories
   */
  public static String validName(String given) {
    String name = name(given);
    if (name.isEmpty() || name.startsWith(".") || name.indexOf('/') >= 0) {
      throw new UserException("\"" + given + "\" is not a valid name of a Job");
    }
    return name;
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

  /** Returns the timers for followers of its objects. */
  public Timers timers() {
    return timers;
  }

  /** Returns a new generator of random numbers for a follower of its objects. */
  public RandomGenerator random() {
    return RandomGenerators.unpredictable();
  }
}
