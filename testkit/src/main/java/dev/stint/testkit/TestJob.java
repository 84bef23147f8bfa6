package dev.stint.testkit;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import dev.stint.testkit.time.BlockingAnswers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A handle of a Job, not a snapshot: each method reads the current state. See {@link JobAssert} for
 * assertions.
 */
public final class TestJob {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SIMULATED_TIMEOUT = Duration.ofDays(7);

  private final Jobs jobs;
  private final ObjectRef ref;

  TestJob(Jobs jobs, ObjectRef ref) {
    this.jobs = jobs;
    this.ref = ref;
  }

  public String name() {
    return ref.name();
  }

  public ObjectRef ref() {
    return ref;
  }

  /** Returns the current Job. Throws {@code ClusterException} if it does not exist. */
  public KubeObject object() {
    jobs.controlPlane().settle();
    return BlockingAnswers.of(jobs.cluster().get(ref));
  }

  /** Returns the current status. Throws {@code ClusterException} if the Job does not exist. */
  public JobStatus status() {
    return JobStatus.read(object().status());
  }

  /** Returns its existing pods, by name. */
  public List<KubeObject> pods() {
    jobs.controlPlane().settle();
    return BlockingAnswers.of(jobs.cluster().list(Kind.POD, ref.namespace())).items().stream()
        .filter(pod -> ref.name().equals(pod.label(Names.JOB_NAME)))
        .sorted(Comparator.comparing(KubeObject::name))
        .toList();
  }

  /** Returns its events as {@code reason: message}, oldest first. */
  public List<String> events() {
    jobs.controlPlane().settle();
    return ObjectSummary.events(jobs, ref);
  }

  /**
   * Waits until it is Complete or Failed, for at most 10 s of real time. It need not exist yet.
   * Simulated time passes meanwhile, from one timer to the next, for at most 7 days.
   *
   * @throws AssertionError with its state, if it takes longer
   */
  public TestJob awaitFinished() {
    return awaitFinished(TIMEOUT, SIMULATED_TIMEOUT);
  }

  /** Waits until it is Complete or Failed, with another limit, in the control plane's time. */
  public TestJob awaitFinished(Duration patience) {
    return jobs.controlPlane().driver() == null
        ? awaitFinished(patience, Duration.ZERO)
        : awaitFinished(TIMEOUT, patience);
  }

  private TestJob awaitFinished(Duration onTheWall, Duration simulated) {
    Predicate<KubeObject> finished = job -> JobStatus.read(job.status()).isFinished();
    new ConditionWait(jobs, ref, "finished", finished).within(onTheWall, simulated);
    return this;
  }

  /**
   * Waits until its status meets a condition, as {@link Jobs#await} does, for at most 10 s.
   *
   * @param what the condition as a word that follows "is not", such as {@code suspended}
   */
  public TestJob await(String what, Predicate<JobStatus> condition) {
    jobs.await(ref, what, job -> condition.test(JobStatus.read(job.status())), TIMEOUT);
    return this;
  }

  /** Returns its state in a few lines. */
  String describe() {
    jobs.controlPlane().settle();
    return "Job " + ref.namespace() + "/" + ref.name() + ObjectSummary.of(jobs, ref);
  }

  @Override
  public String toString() {
    return "Job " + ref.namespace() + "/" + ref.name();
  }
}
