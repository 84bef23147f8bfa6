package dev.stint.conformance.histories;

import static dev.stint.conformance.histories.StepComparison.minus;

import dev.stint.conformance.histories.HistoryAction.Verb;
import dev.stint.conformance.histories.JobHistory.Step;
import dev.stint.model.Json;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The reasons for which our controller may differ from that of Kubernetes, each with the exact form
 * of the difference. {@code docs/evidence.md} has the same table in words.
 */
enum Explanation {
  /**
   * With a limit per index, an index whose retry waits holds its place among {@code parallelism}
   * under Kubernetes, so that no other index starts. Under ours another one does.
   */
  WAITING_INDEX_HOLDS_ITS_PLACE(Explanation::keepsPlaceOfWaitingIndex, false),

  /**
   * While a retry waits, Kubernetes reports no active pods, though others run. It is a known fault
   * of Kubernetes that is not copied.
   */
  NONE_ACTIVE_IN_BACKOFF(Explanation::reportsNoneActive, true),

  /**
   * A consequence of the one before: with ready pods, the API refuses such a status, since more
   * pods would be ready than active. So nothing is written and no finalizer removed until the retry
   * is due.
   */
  STATUS_REFUSED_IN_BACKOFF(Explanation::isRefused, true),

  /**
   * Kubernetes waits for the back-off before it replaces a pod that somebody deleted. Ours replaces
   * it at once, as the documentation of {@code podReplacementPolicy} says.
   */
  DELETED_PODS_DELAY(Explanation::delaysAfterDeletion, true),

  /**
   * Which of equal surplus pods go is left to chance by Kubernetes; ours takes the last by name.
   */
  EQUAL_SURPLUS_PODS(Explanation::choosesAmongEqualPods, false),

  /**
   * A Job that is suspended when it is decided never ends under Kubernetes: it lacks the start time
   * without which the API refuses a status that says that it has ended. Ours sets one.
   */
  SUSPENDED_JOBS_DO_NOT_END(Explanation::doesNotEnd, false),

  /**
   * Kubernetes applies {@code FailJob} to pods that the controller itself deleted, since they were
   * too many or their Job was suspended, and that fail while they stop. Ours has released them:
   * they are no failures (KEP-2307, Deleted Pods).
   */
  RELEASED_PODS_FAIL_JOBS(Explanation::failsForReleasedPod, false),

  /**
   * A work queue (a Job without {@code completions}) of which a pod has succeeded keeps its other
   * pods under Kubernetes when {@code parallelism} is lowered. Ours lets the surplus go, as before.
   */
  WORK_QUEUES_KEEP_THEIR_PODS(Explanation::keepsPodsOfWorkQueue, false),

  /**
   * A work queue of which a pod has succeeded is complete once no other one runs, also because the
   * Job is suspended. Under ours it has been suspended before, and says so.
   */
  SUSPENDED_WORK_QUEUES_SAY_SO(Explanation::endsSuspended, false),

  /** A Job that is being deleted is counted by Kubernetes, and no more by ours. */
  DELETED_JOB_IS_NOT_COUNTED(Explanation::countsDeletedJob, true),

  /** The garbage collector of Kubernetes orphans pods that are being deleted, too. */
  ENDING_PODS_STAY_OWNED(Explanation::orphansEndingPods, false),

  /** After one of the differences above, both agree again; only the way there was another. */
  AGREES_AGAIN(step -> step.hasSameStatus() && step.hasSamePods(), true),

  /** The step before ended with other pods, for one of the reasons above. */
  FOLLOWS_FROM_OTHER_PODS(StepComparison::beganWithOtherPods, false);

  private static final Pattern ENDED = Pattern.compile("(Complete|Failed)=True");
  private static final Pattern ACTIVE = Pattern.compile("^active=\\d+ ");
  private static final Pattern PASSING =
      Pattern.compile("(^| )(active|ready|terminating)=\\d+(?= |$)");

  /** How long a back-off lasts that histories wait for, and some more, in milliseconds. */
  private static final long LONGEST_BACKOFF = 45_000;

  private final Predicate<StepComparison> form;
  private final boolean passing;

  Explanation(Predicate<StepComparison> form, boolean passing) {
    this.form = form;
    this.passing = passing;
  }

  /** True if a step differs in this form. */
  boolean explains(StepComparison step) {
    return form.test(step);
  }

  /** True if both controllers agree again later, so that later steps are compared, too. */
  boolean passes() {
    return passing;
  }

  private static boolean reportsNoneActive(StepComparison step) {
    String theirs = step.theirs().after();
    String ours = step.ours().after();
    long active = step.replayedPods().stream().filter(Explanation::isActive).count();
    return step.hasSamePods()
        && active > 0
        && ours.equals("active=" + active + " " + theirs)
        && !ACTIVE.matcher(theirs).find()
        && !ENDED.matcher(theirs).find()
        && step.hasSameOrder();
  }

  private static boolean isActive(String pod) {
    return pod.matches("[-\\d]+[PR]\\+?t.*");
  }

  private static boolean isRefused(StepComparison step) {
    return step.recorded().outcome().statuses().isEmpty()
        && step.recordedPods().stream().anyMatch(pod -> pod.contains("R+t"))
        && step.recordedPods().stream().anyMatch(Explanation::isHeldThoughOver);
  }

  private static boolean isHeldThoughOver(String pod) {
    return Pattern.compile("[SF]d?t|[PR]\\+?dt").matcher(pod).find();
  }

  private static boolean delaysAfterDeletion(StepComparison step) {
    List<String> surplus = minus(step.replayedPods(), step.recordedPods());
    return minus(step.recordedPods(), step.replayedPods()).isEmpty()
        && !surplus.isEmpty()
        && surplus.size() <= deletionsBefore(step)
        && surplus.stream().allMatch(pod -> pod.matches("[-\\d]+Pth?( failures=.*)?"))
        && withoutCounts(step.theirs().after()).equals(withoutCounts(step.ours().after()));
  }

  /** Returns how many pods somebody deleted or evicted shortly before the end of a step. */
  private static int deletionsBefore(StepComparison step) {
    return Stream.concat(step.before().stream(), Stream.of(step.recorded()))
        .filter(before -> isRecentDeletion(before, step))
        .mapToInt(before -> before.fate().pods().size())
        .sum();
  }

  private static boolean isRecentDeletion(Step before, StepComparison step) {
    Verb verb = before.fate().verb();
    return (verb == Verb.DELETE || verb == Verb.EVICT)
        && before.at() > step.recorded().at() - LONGEST_BACKOFF;
  }

  private static String withoutCounts(String status) {
    return PASSING.matcher(status).replaceAll("").strip();
  }

  private static boolean keepsPlaceOfWaitingIndex(StepComparison step) {
    return step.job().get("spec").has("backoffLimitPerIndex")
        && minus(step.recordedPods(), step.replayedPods()).isEmpty()
        && minus(step.replayedPods(), step.recordedPods()).stream()
            .allMatch(pod -> pod.matches("\\d+Pth? failures=0"))
        && step.recordedPods().stream().anyMatch(Explanation::isHeldThoughOver)
        && withoutCounts(step.theirs().after()).equals(withoutCounts(step.ours().after()));
  }

  private static boolean choosesAmongEqualPods(StepComparison step) {
    return step.recorded().fate().verb() == Verb.PATCH
        && step.recorded().fate().with().toString().contains("parallelism")
        && !step.recorded().fate().with().toString().contains("completions")
        && step.hasSameStatus()
        && step.recordedPods().stream()
            .map(Explanation::withoutIndex)
            .sorted()
            .toList()
            .equals(step.replayedPods().stream().map(Explanation::withoutIndex).sorted().toList());
  }

  private static String withoutIndex(String pod) {
    return pod.replaceFirst("^\\d+", "");
  }

  private static boolean doesNotEnd(StepComparison step) {
    String theirs = step.theirs().after();
    return theirs.contains("Suspended=True")
        && (theirs.contains("FailureTarget") || theirs.contains("SuccessCriteriaMet"))
        && !theirs.contains("started")
        && step.ours().after().contains("started")
        && (step.hasSamePods() || step.ours().after().endsWith(" deleting"));
  }

  private static boolean failsForReleasedPod(StepComparison step) {
    return step.theirs().after().contains("FailureTarget=True:PodFailurePolicy")
        && !step.ours().after().contains("FailureTarget")
        && step.recordedPods().stream().anyMatch(pod -> pod.matches("[-\\d]+Fdh?( .*)?"));
  }

  private static boolean isWorkQueue(StepComparison step) {
    return !step.job().get("spec").has("completions");
  }

  private static boolean keepsPodsOfWorkQueue(StepComparison step) {
    return isWorkQueue(step)
        && step.recorded().fate().with().toString().contains("parallelism")
        && step.recorded().outcome().statuses().isEmpty()
        && step.theirs().after().contains("succeeded=");
  }

  private static boolean endsSuspended(StepComparison step) {
    return isWorkQueue(step)
        && step.hasSamePods()
        && step.theirs().after().contains("SuccessCriteriaMet=True:CompletionsReached")
        && step.theirs().after().equals(step.ours().after().replaceAll("Suspended=True:\\w+ ", ""));
  }

  private static boolean countsDeletedJob(StepComparison step) {
    return step.hasSamePods()
        && step.ours().after().endsWith(" deleting")
        && step.theirs().after().endsWith(" deleting");
  }

  private static boolean orphansEndingPods(StepComparison step) {
    return step.recorded().fate().verb() == Verb.DELETE_JOB
        && "ORPHAN".equals(Json.text(step.recorded().fate().with(), "propagation"))
        && step.hasSameStatus()
        && step.recordedPods().stream()
            .map(Explanation::withoutOrphaningOfEnding)
            .toList()
            .equals(
                step.replayedPods().stream().map(Explanation::withoutOrphaningOfEnding).toList());
  }

  private static String withoutOrphaningOfEnding(String pod) {
    return pod.matches("[-\\d]+\\w\\+?d.*") ? pod.replace("o", "") : pod;
  }
}
