package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorNames;
import dev.stint.controllers.mirror.WorkerChoice;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.mirror.Mirrored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays random Jobs that are handed over while users change and delete them, requests get lost, the
 * workers are unreachable and the mirror is killed. In the end each Job has the status of its copy,
 * the manager never refused a status, and nothing is left behind. Of several workers, a Job is
 * assigned to one until it moves, and it ends once.
 */
final class MirrorRun implements SimulatedWorld {
  private static final int ROUNDS = 25;
  private static final Duration LONG = Duration.ofHours(8);
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final AssignmentOptions OPTIONS =
      new AssignmentOptions(WorkerChoice.MOST_FREE, Duration.ofSeconds(20));
  private static final List<Propagation> WAYS = List.of(Propagation.values());
  private static final List<String> NAMES = List.of("a", "b", "c");

  private final long seed;
  private final FaultCounts happened = new FaultCounts();

  /** The Jobs whose copies lasted, and the others. */
  private int mirrored;

  private int lost;

  /** The Jobs that have moved from one worker to another. */
  private int moved;

  /** The worker of each Job that may have a copy, by uid and number of moves. */
  private final Map<String, String> assignments = new HashMap<>();

  /** The ends of Jobs, by uid. */
  private final Map<String, String> ends = new HashMap<>();

  private final Random random;
  private final MirrorTestbed bed;
  private final RandomJobs jobs;
  private final Map<String, Set<Integer>> sizes = new HashMap<>();
  private boolean orphaned;

  MirrorRun(long seed) {
    this(seed, 1);
  }

  MirrorRun(long seed, int workers) {
    this.seed = seed;
    random = new Random(seed);
    bed = new MirrorTestbed(random.nextLong(), workers);
    jobs = new RandomJobs(new Random(random.nextLong()), RandomOptions.none());
    bed.workers.forEach(worker -> worker.node(jobs.script()));
    startMirror();
  }

  private boolean hasSeveralWorkers() {
    return bed.workers.size() > 1;
  }

  private void startMirror() {
    if (hasSeveralWorkers()) {
      bed.startMirrors(OPTIONS);
    } else {
      bed.startMirror(bed.worker);
    }
  }

  private MirrorTestbed.Side anyWorker() {
    return hasSeveralWorkers() ? bed.workers.get(random.nextInt(bed.workers.size())) : bed.worker;
  }

  private void handOver(String name) {
    ObjectNode job = jobs.job(name).copy();
    ObjectNode spec = job.withObjectProperty("spec");
    spec.put("managedBy", MirrorTestbed.CLAIM);
    spec.remove("ttlSecondsAfterFinished");
    tried(() -> bed.manager.create(KubeObject.of(job)));
  }

  private void live() {
    NAMES.forEach(this::handOver);
    for (int round = 0; round < ROUNDS; round++) {
      somethingHappens(NAMES.get(random.nextInt(NAMES.size())));
      bed.seconds(random.nextInt(1, 20));
      bed.manager.list(Kind.JOB).forEach(this::checkOneWorkerAndOneEnd);
      checkOneWorkerOfCopies();
    }
  }

  private void somethingHappens(String job) {
    switch (random.nextInt(12)) {
      case 0, 1 -> change(job, "{'spec':{'suspend':true}}");
      case 2, 3 -> change(job, "{'spec':{'suspend':false}}");
      case 4 -> change(job, "{'spec':{'parallelism':%d}}".formatted(random.nextInt(1, 8)));
      case 5 -> scale(job);
      case 6 -> {
        happened.add("the worker is unreachable");
        anyWorker().leave();
      }
      case 7, 8 -> anyWorker().comeBack();
      case 9 -> bed.luck(lossy(random.nextInt(3)));
      case 10 -> {
        happened.add("the mirror dies");
        startMirror();
      }
      default -> delete(job);
    }
  }

  private void scale(String job) {
    int size = random.nextInt(1, 8);
    sizes.computeIfAbsent(job, _ -> new HashSet<>()).add(size);
    change(job, "{'spec':{'completions':%d,'parallelism':%d}}".formatted(size, size));
  }

  private RequestDelivery.Draw lossy(int badness) {
    return _ -> {
      if (random.nextInt(10) >= 3 * badness) {
        return RequestDelivery.GOOD;
      }
      boolean isRequest = random.nextBoolean();
      happened.add(isRequest ? "a request is lost" : "an answer is lost");
      return isRequest ? RequestDelivery.REQUEST_LOST : RequestDelivery.ANSWER_LOST;
    };
  }

  private void delete(String job) {
    if (random.nextInt(3) == 0) {
      MirrorTestbed.Side worker = anyWorker();
      tried(() -> worker.delete(job, Propagation.BACKGROUND));
      return;
    }
    Propagation how = WAYS.get(random.nextInt(WAYS.size()));
    orphaned |= how == Propagation.ORPHAN;
    tried(() -> bed.manager.delete(job, how));
    bed.seconds(1);
    handOver(job);
  }

  private void change(String job, String patch) {
    tried(() -> bed.manager.change(job, patch));
  }

  /** The request of a user may be refused. */
  private static void tried(Runnable wish) {
    try {
      wish.run();
    } catch (CompletionException refused) {
      assertThat(refused).hasCauseInstanceOf(ClusterException.class);
    }
  }

  private void calm() {
    bed.workers.forEach(MirrorTestbed.Side::comeBack);
    bed.luck(_ -> RequestDelivery.GOOD);
    bed.seconds(60);
    for (MirrorTestbed.Side worker : bed.workers) {
      worker.list(Kind.JOB).stream() // An orphaned Job holds its name.
          .filter(job -> !job.labels().containsKey(MirrorNames.OF))
          .forEach(job -> worker.delete(job.name(), Propagation.BACKGROUND));
    }
    NAMES.forEach(job -> change(job, "{'spec':{'suspend':false}}"));
    Instant end = bed.time.instant().plus(LONG);
    while (hasUnfinishedJobs() && bed.time.instant().isBefore(end)) {
      bed.pass(PERIOD, Duration.ofSeconds(10));
    }
    bed.pass(PERIOD, Duration.ofSeconds(10));
  }

  private boolean hasUnfinishedJobs() {
    return bed.manager.list(Kind.JOB).stream()
        .anyMatch(job -> !JobStatus.read(job.status()).isFinished());
  }

  private List<String> leftBehind() {
    List<String> left = new ArrayList<>();
    for (MirrorTestbed.Side worker : bed.workers) {
      worker.list(Kind.JOB).stream()
          .filter(job -> job.labels().containsKey(MirrorNames.OF))
          .forEach(job -> left.add(job.toString()));
      if (!orphaned) {
        worker.list(Kind.POD).forEach(pod -> left.add(pod.toString()));
      }
    }
    return left;
  }

  @Override
  public void play() {
    live();
    calm();
    assertThat(bed.manager.ofMirror.refusals).as("seed %d", seed).isEmpty();
    List<KubeObject> all = bed.manager.list(Kind.JOB);
    all.forEach(this::checkOneWorkerAndOneEnd);
    checkOneWorkerOfCopies();
    all.forEach(this::checkEnd);
    checkCopies(all);
    all.forEach(job -> bed.manager.delete(job.name(), Propagation.BACKGROUND));
    bed.pass(Duration.ofMinutes(5));
    assertThat(bed.manager.list(Kind.JOB)).as("seed %d", seed).isEmpty();
    assertThat(leftBehind()).as("seed %d", seed).isEmpty();
  }

  private void checkEnd(KubeObject job) {
    JobStatus said = JobStatus.read(job.status());
    assertThat(said.isFinished()).as("seed %d: %s: %s", seed, job, job.status()).isTrue();
    String state = bed.manager.mirrored(job.name());
    assertThat(state)
        .as("seed %d: %s", seed, job)
        .isIn("True", "ChangeRefused", "CopyDeleted", "WorkerLost");
    // A change that came after the end of the copy stays refused.
    boolean isMirrored = state.equals("True") || state.equals("ChangeRefused");
    mirrored += isMirrored ? 1 : 0;
    lost += isMirrored ? 0 : 1;
    moved += hasMoved(job) ? 1 : 0;
    MirrorTestbed.Side worker = hasSeveralWorkers() ? bed.assigned(job) : bed.worker;
    if (isMirrored && worker.has(job.name())) { // Else deleted after the end.
      JobStatus copied = worker.status(job.name());
      JobStatus seen = hasMoved(job) ? withCountsOf(copied, said, job) : said;
      assertThat(outcome(seen)).as("seed %d: %s", seed, job).isIn(outcomes(job, copied));
    }
  }

  /**
   * Returns the status of a Job that has moved with the counts of its copy, below which its own
   * never are: they may be those of a former copy. The indexes are those that the Job still has.
   */
  private JobStatus withCountsOf(JobStatus copied, JobStatus said, KubeObject job) {
    boolean isIndexed = "Indexed".equals(Json.text(job.spec(), "completionMode"));
    int succeeded = isIndexed ? said.completedIndexes().size() : copied.succeeded();
    assertThat(said.succeeded()).as("seed %d: %s", seed, job).isGreaterThanOrEqualTo(succeeded);
    assertThat(said.failed()).as("seed %d: %s", seed, job).isGreaterThanOrEqualTo(copied.failed());
    ObjectNode tree = said.write();
    return JobStatus.read(tree.put("failed", copied.failed()).put("succeeded", succeeded));
  }

  private static boolean hasMoved(KubeObject job) {
    return job.annotation(MirrorNames.MOVES) != null;
  }

  private void checkOneWorkerAndOneEnd(KubeObject job) {
    // A Job that cannot have a copy yet is assigned anew as often as its worker is away.
    if (hasSeveralWorkers() && Mirrored.mayHaveCopy(job)) {
      checkOneWorker(job.uid(), job, String.valueOf(job.annotation(MirrorNames.ASSIGNED)));
    }
    JobStatus status = JobStatus.read(job.status());
    if (status.isFinished()) {
      String end = status.isTrue("Complete") + " at " + status.completionTime();
      assertThat(ends.computeIfAbsent(job.uid(), _ -> end)).as("seed %d", seed).isEqualTo(end);
    }
  }

  /** Checks that there never was a copy but on the worker that the Job was assigned to then. */
  private void checkOneWorkerOfCopies() {
    for (int i = 0; i < bed.workers.size(); i++) {
      for (KubeObject copy : bed.workers.get(i).list(Kind.JOB)) {
        String of = copy.labels().get(MirrorNames.OF);
        if (of != null) {
          checkOneWorker(of, copy, "w" + i);
        }
      }
    }
  }

  private void checkOneWorker(String uid, KubeObject jobOrCopy, String worker) {
    String term = uid + " " + jobOrCopy.annotation(MirrorNames.MOVES);
    assertThat(assignments.computeIfAbsent(term, _ -> worker))
        .as("seed %d: %s", seed, jobOrCopy)
        .isEqualTo(worker);
  }

  /** Checks that no worker has a copy but the one that a Job is assigned to. */
  private void checkCopies(List<KubeObject> all) {
    if (!hasSeveralWorkers()) {
      return;
    }
    Map<String, MirrorTestbed.Side> owners = new HashMap<>();
    all.forEach(job -> owners.put(job.uid(), bed.assigned(job)));
    for (MirrorTestbed.Side worker : bed.workers) {
      worker.list(Kind.JOB).stream()
          .map(copy -> copy.labels().get(MirrorNames.OF))
          .filter(Objects::nonNull)
          .forEach(of -> assertThat(owners.get(of)).as("seed %d: %s", seed, of).isSameAs(worker));
    }
  }

  /**
   * Returns how a Job may have ended whose copy ended so. A copy may have ended before it learned
   * that the Job wants less; or the Job, before it did. A Job may be scaled after its end, too.
   */
  private Set<String> outcomes(KubeObject job, JobStatus copied) {
    Set<String> outcomes = new HashSet<>(Set.of(outcome(copied)));
    Integer last = Json.integer(job.spec(), "completions");
    if (last != null) {
      outcomes.add(outcome(cut(copied, last)));
      sizes
          .getOrDefault(job.name(), Set.of())
          .forEach(size -> outcomes.add(outcome(cut(copied, size))));
    }
    return outcomes;
  }

  private static JobStatus cut(JobStatus status, int completions) {
    ObjectNode tree = status.write();
    IndexSet failed = status.failedIndexes();
    if (failed != null) {
      tree.put("failedIndexes", failed.below(completions).toString());
    }
    if (status.completedIndexes().max() >= completions) {
      IndexSet left = status.completedIndexes().below(completions);
      tree.put("completedIndexes", left.toString()).put("succeeded", left.size());
    }
    return JobStatus.read(tree);
  }

  private static String outcome(JobStatus status) {
    return "%s %d succeeded [%s], %d failed [%s]"
        .formatted(
            status.isTrue("Complete") ? "Complete" : "Failed",
            status.succeeded(),
            status.completedIndexes(),
            status.failed(),
            status.failedIndexes());
  }

  /** Returns how many Jobs had a copy that lasted. */
  int mirrored() {
    return mirrored;
  }

  /** Returns how many Jobs lost their copy. */
  int lost() {
    return lost;
  }

  /** Returns how many Jobs moved from one worker to another. */
  int moved() {
    return moved;
  }

  @Override
  public PlayedWorld played() {
    return new PlayedWorld(
        bed.steps(), Duration.between(SimulatedSystem.START, bed.time.instant()), happened.read());
  }
}
