package dev.stint.simulation;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.embedded.share.ClaimedJobs;
import dev.stint.embedded.share.ClusterClient;
import dev.stint.embedded.share.EntryPolicy;
import dev.stint.embedded.share.JobClaim;
import dev.stint.embedded.share.ReconnectingCluster;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobInterruption;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.ClusterRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@code run}: claims its Jobs in a shared data directory, submits them, and follows them to
 * their end, whoever holds the directory. Its decisions are those of the product; what waits on a
 * thread there continues on a loop here.
 */
final class SimulatedCommand implements Follower.Listener<KubeObject> {
  final String name;
  final List<KubeObject> jobs;
  final SimulatedProcess process;
  final ReconnectingCluster cluster = new ReconnectingCluster();
  private final SimulatedDirectory directory;
  private final Consumer<String> trace;
  private final ClaimedJobs claimed = new ClaimedJobs();
  private final Executor main;
  private final Set<String> unfinished = new HashSet<>();

  /** The Jobs as they were submitted. */
  private final List<KubeObject> submitted = new ArrayList<>();

  private @Nullable SimulatedHolder held;

  /** Completes once this command uses the directory that it holds; it is not handed over before. */
  private CompletableFuture<?> holding = ClusterRequests.NOTHING;

  private @Nullable ClusterClient joined;
  private @Nullable Follower<KubeObject> follower;
  private boolean started;

  /** True once this command has joined another one. */
  private boolean succeeds;

  /** The way in after a holder that has ended while this command joined it. */
  private @Nullable EntryPolicy anew;

  private boolean closed;

  /** True once the Jobs are claimed for the first time. */
  private boolean hasClaims;

  /** True once this command was told to end. */
  private boolean isLeaving;

  /** The reason why this command cannot go on; null if there is none. */
  private @Nullable String failure;

  /** True once this command has seen the end of all of its Jobs. */
  private boolean isFinished;

  /**
   * @param trace receives what it does
   */
  SimulatedCommand(
      String name, List<KubeObject> jobs, SimulatedDirectory directory, Consumer<String> trace) {
    this.name = name;
    this.jobs = List.copyOf(jobs);
    this.directory = directory;
    this.trace = trace;
    this.process = directory.newProcess();
    this.main = process.thread();
    jobs.forEach(job -> unfinished.add(JobClaim.key(job.namespace(), job.name())));
  }

  @Nullable String failure() {
    return failure;
  }

  /**
   * True if another command has its Jobs, or has made them: a new holder gives them to whoever
   * comes first.
   */
  boolean wasTooLate() {
    return failure != null
        && (failure.contains("is already being run by") || failure.contains("already exists"));
  }

  /** True if it has submitted a Job, or has found it. */
  boolean hasSubmitted(KubeObject job) {
    return submitted.stream().anyMatch(each -> each.uid().equals(job.uid()));
  }

  boolean isFinished() {
    return isFinished;
  }

  boolean isLeaving() {
    return isLeaving;
  }

  boolean hasClaims() {
    return hasClaims;
  }

  Set<String> keys() {
    Set<String> keys = new HashSet<>();
    jobs.forEach(job -> keys.add(JobClaim.key(job.namespace(), job.name())));
    return keys;
  }

  private void say(String what) {
    trace.accept(name + " " + what);
  }

  /** Starts the command. */
  void start() {
    say("starts");
    main.execute(() -> enter(EntryPolicy.OPEN, this::claim));
  }

  private void enter(EntryPolicy entry, Runnable then) {
    attempt(entry, directory.time.instant(), then);
  }

  private void attempt(EntryPolicy entry, Instant begin, Runnable then) {
    if (closed) {
      return;
    }
    Duration tried = Duration.between(begin, directory.time.instant());
    if (entry.mayTakeLock(tried) && directory.lock(process)) {
      hold(then);
      return;
    }
    join()
        .whenCompleteAsync(
            (_, refused) -> {
              EntryPolicy again = anew;
              anew = null;
              if (refused == null) {
                then.run();
              } else if (again != null) {
                enter(again, then);
              } else if (!mayPass(refused) || entry.isOver(tried)) {
                fail(String.valueOf(ClusterException.causeOf(refused).getMessage()));
              } else {
                process
                    .timers()
                    .after(
                        EntryPolicy.PAUSE, () -> main.execute(() -> attempt(entry, begin, then)));
              }
            },
            main);
  }

  private static boolean mayPass(Throwable refused) {
    return ClusterException.causeOf(refused) instanceof ClusterException failed
        && ClaimedJobs.mayPass(failed);
  }

  private void hold(Runnable then) {
    say("holds the directory");
    SimulatedHolder opened =
        new SimulatedHolder(
            directory, process, false, () -> holding.whenCompleteAsync((_, _) -> handOver(), main));
    held = opened;
    holding =
        opened
            .claim(claimed.all())
            .thenRun(opened::serve)
            .thenCompose(_ -> claimed.resume(opened.cluster()))
            .whenCompleteAsync((_, refused) -> onHolding(opened, refused, then), main);
  }

  private void onHolding(SimulatedHolder opened, @Nullable Throwable refused, Runnable then) {
    if (refused != null) {
      throw new AssertionError("a new holder cannot claim its Jobs", refused);
    }
    cluster.connect(opened.cluster());
    if (started || succeeds) {
      started = true;
      opened.start();
    }
    then.run();
  }

  /** Joins the holder; fails if it does not serve yet, or any more. */
  private CompletableFuture<?> join() {
    return SimulatedConnection.open(directory, process)
        .thenCompose(client ->
            claimed
                .claimAgain(client)
                .whenCompleteAsync((_, refused) -> onAgreement(client, refused), main));
  }

  private void onAgreement(ClusterClient client, @Nullable Throwable refused) {
    if (refused != null) {
      anew = ClusterClient.isLoss(refused) ? new EntryPolicy(client.handsOver()) : null;
      client.close();
      return;
    }
    say("joins the holder");
    joined = client;
    succeeds = true;
    cluster.connect(client);
    client.lost().thenRunAsync(() -> onLoss(client), main);
  }

  private void onLoss(ClusterClient lost) {
    if (!closed && joined == lost) {
      say("loses the holder");
      joined = null;
      enter(new EntryPolicy(lost.handsOver()), () -> {});
    }
  }

  /** Hands the directory over to another process, and joins it. */
  private void handOver() {
    SimulatedHolder own = held;
    if (own == null || closed || claimed.isInterrupting()) {
      return;
    }
    say("hands the directory over");
    held = null;
    succeeds = true;
    cluster.disconnect();
    own.handOver();
    enter(new EntryPolicy(true), () -> {});
  }

  private void claim() {
    List<JobClaim> wanted =
        jobs.stream()
            .map(job ->
                new JobClaim(
                    job.namespace(), job.name(), name, false, SimulatedHolder.SURROUNDINGS))
            .toList();
    claimed.add(wanted);
    SimulatedHolder own = held;
    ClusterClient client = joined;
    CompletableFuture<?> claiming =
        own != null
            ? own.claim(wanted)
            : client == null ? ClusterRequests.NOTHING : ClaimedJobs.claim(client, wanted);
    orFail(claiming, this::submit);
  }

  /** Goes on once something is done, or ends the command. */
  private void orFail(CompletableFuture<?> done, Runnable then) {
    done.whenCompleteAsync(
        (_, refused) -> {
          if (refused != null) {
            fail(String.valueOf(ClusterException.causeOf(refused).getMessage()));
          } else if (!closed && !isLeaving) {
            then.run();
          }
        },
        main);
  }

  private void submit() {
    say("has claimed its Jobs");
    hasClaims = true;
    orFail(each(this::submit), this::follow);
  }

  private CompletableFuture<?> each(Function<KubeObject, CompletableFuture<?>> act) {
    CompletableFuture<?> done = ClusterRequests.NOTHING;
    for (KubeObject job : jobs) {
      done = done.thenCompose(_ -> act.apply(job));
    }
    return done;
  }

  private CompletableFuture<?> submit(KubeObject job) {
    return ClusterRequests.find(cluster, job.ref())
        .thenCompose(
            found -> found == null ? cluster.create(job) : CompletableFuture.completedFuture(found))
        .thenCompose(applied -> JobInterruption.resumption(cluster, applied))
        .thenAccept(submitted::add);
  }

  private void follow() {
    Follower<KubeObject> begun =
        Follower.of(cluster, Kind.JOB, null, process.timers(), process.random(), this);
    follower = begun;
    begun.failure().thenAccept(why -> fail("cannot follow: " + why.getMessage()));
    submitted.forEach(begun::expect);
    submitted.forEach(this::onUpdate);
    orFail(claimed.onSubmission(cluster), () -> work(begun));
  }

  private void work(Follower<KubeObject> begun) {
    SimulatedHolder own = held;
    if (!started && own != null) {
      own.start();
    }
    started = true;
    say("follows its Jobs");
    orFail(begun.begin(), () -> {});
  }

  @Override
  public void onUpdate(KubeObject job) {
    if (JobStatus.read(job.status()).isFinished()) {
      onDelete(job);
    }
  }

  @Override
  public void onDelete(KubeObject last) {
    if (unfinished.remove(JobClaim.key(last.namespace(), last.name())) && unfinished.isEmpty()) {
      main.execute(this::finish);
    }
  }

  private void finish() {
    if (closed || isLeaving) {
      return;
    }
    isFinished = true;
    SimulatedHolder own = held;
    if (own != null && !own.isShared()) {
      own.stop();
    }
    release();
  }

  /** Ends in order, as on Ctrl-C: interrupts its own Jobs first. */
  void leave() {
    main.execute(() -> {
      if (closed || isLeaving || isFinished) {
        return;
      }
      say("is told to end");
      isLeaving = true;
      claimed.onInterruption();
      SimulatedHolder own = held;
      if (own != null && !own.isShared()) {
        own.interrupt().whenCompleteAsync((_, _) -> close("is interrupted"), main);
      } else if (started) {
        interruption().whenCompleteAsync((_, _) -> release(), main);
      } else {
        each(job ->
                hasClaims ? JobInterruption.request(cluster, job.ref()) : ClusterRequests.NOTHING)
            .whenCompleteAsync((_, _) -> close("is interrupted early"), main);
      }
    });
  }

  /** Interrupts the Jobs, and waits until their pods have ended. */
  private CompletableFuture<?> interruption() {
    return each(job -> JobInterruption.request(cluster, job.ref()).handle((_, _) -> null))
        .thenCompose(_ ->
            each(job ->
                JobInterruption.awaitEnd(cluster, job.ref(), process.timers(), process.random())));
  }

  private void release() {
    ClusterClient client = joined;
    CompletableFuture<?> released = client == null ? ClusterRequests.NOTHING : client.release();
    released.whenCompleteAsync((_, _) -> close("ends"), main);
  }

  private void fail(String why) {
    if (closed) {
      return;
    }
    failure = why;
    cluster.fail(new ClusterException(Reason.UNAVAILABLE, why));
    close("fails: " + why);
  }

  private void close(String how) {
    if (closed) {
      return;
    }
    say(how);
    closed = true;
    Follower<KubeObject> followed = follower;
    if (followed != null) {
      followed.close();
    }
    ClusterClient client = joined;
    if (client != null) {
      client.close();
    }
    SimulatedHolder own = held;
    if (own != null) {
      own.close();
    }
    process.end();
  }

  /** Ends at once. */
  void kill() {
    closed = true;
    process.end();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** True if it is alive, and able to send requests. */
  boolean goesOn() {
    return isAlive() && !closed && failure == null;
  }
}
