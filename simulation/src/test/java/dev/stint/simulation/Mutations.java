package dev.stint.simulation;

import static dev.stint.simulation.BytecodeEdit.after;
import static dev.stint.simulation.BytecodeEdit.answerBecomes;
import static dev.stint.simulation.BytecodeEdit.answeredUnasked;
import static dev.stint.simulation.BytecodeEdit.answers;
import static dev.stint.simulation.BytecodeEdit.insteadOf;
import static dev.stint.simulation.BytecodeEdit.type;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The faults that the worlds must find, by part of the system: here those of the Job controller.
 */
final class Mutations {
  private static final String ENGINE = "engine.";
  private static final String POLICY = "engine.policy.";
  private static final String CONTROLLERS = "controllers.job.";

  private Mutations() {}

  static final List<Mutation> ALL =
      Stream.of(
              accounting(),
              deciding(),
              creating(),
              asked(),
              succeeding(),
              following(),
              doing(),
              MutationsOfPods.ALL,
              MutationsOfTheApi.ALL,
              MutationsOfHousekeeping.ALL)
          .flatMap(List::stream)
          .toList();

  private static List<Mutation> accounting() {
    return List.of(
        new Mutation(
            "counts uncounted pods at once",
            "A listed pod counts only once its finalizer is off.",
            ENGINE + "Accounting",
            "isStillTracked",
            answers(BytecodeEdit::no)),
        new Mutation(
            "ignores the cap of uncounted pods",
            "The uncounted lists have a cap.",
            ENGINE + "Accounting",
            "isFull",
            answers(BytecodeEdit::no)),
        new Mutation(
            "counts ignored failures",
            "Failures that a rule ignores do not count.",
            ENGINE + "Accounting",
            "accountFailure",
            insteadOf("actionOnEnd", Mutations::count)),
        new Mutation(
            "releases unlisted failures",
            "A failure is listed before its finalizer comes off.",
            ENGINE + "Accounting",
            "accountFailure",
            insteadOf("add", BytecodeEdit::no)),
        new Mutation(
            "forgets failures",
            "The count of failures rises as pods leave the list.",
            ENGINE + "Accounting",
            "failedCount",
            answerBecomes(code -> code.pop().iconst_0())),
        new Mutation(
            "does not record indexes",
            "A succeeded index enters completedIndexes.",
            ENGINE + "Accounting",
            "accountSuccess",
            insteadOf("hasIndexInRange", BytecodeEdit::no)),
        new Mutation(
            "ends a Job before its pods",
            "A Job ends only once its pods have stopped and are counted.",
            ENGINE + "Accounting",
            "isSettled",
            answers(BytecodeEdit::yes)),
        new Mutation(
            "counts no pods that are ready",
            "ready",
            ENGINE + "Ledger",
            "ready",
            answers(CodeBuilder::iconst_0)),
        new Mutation(
            "counts no pods that stop",
            "terminating",
            ENGINE + "Ledger",
            "terminating",
            answers(CodeBuilder::iconst_0)),
        new Mutation(
            "keeps pods of finished Jobs",
            "Pods of a finished or deleted Job lose their finalizer.",
            ENGINE + "Decision",
            "releasePods",
            insteadOf("toList", Mutations::emptyList)));
  }

  private static List<Mutation> deciding() {
    return List.of(
        new Mutation(
            "prefers success to failure",
            "Policies that fail a Job come before those that complete it.",
            POLICY + "Verdict",
            "<clinit>",
            after(
                "of",
                code ->
                    code.invokeinterface(
                        type(List.class), "reversed", MethodTypeDesc.of(type(List.class))))),
        new Mutation(
            "ignores stored verdicts",
            "A stored interim condition is final.",
            POLICY + "Verdict",
            "of",
            insteadOf("isPresent", BytecodeEdit::no)),
        new Mutation(
            "allows one failure too many",
            "backoffLimit",
            POLICY + "BackoffLimit",
            "isExceededByPods",
            after("backoffLimit", BytecodeEdit::oneMore)),
        new Mutation(
            "ignores the limit per index",
            "backoffLimitPerIndex",
            POLICY + "BackoffLimitPerIndex",
            "failsIndex",
            answers(BytecodeEdit::no)),
        new Mutation(
            "forgets failures of an index",
            "The next pod of an index has its failure count.",
            POLICY + "BackoffLimitPerIndex",
            "nextFailureCount",
            insteadOf(Opcode.IADD, CodeBuilder::pop)),
        new Mutation(
            "allows one failed index too many",
            "maxFailedIndexes",
            POLICY + "MaxFailedIndexes",
            "evaluate",
            after("intValue", BytecodeEdit::oneMore)),
        new Mutation(
            "ignores success policies",
            "successPolicy",
            POLICY + "SuccessCriteria",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "ignores the deadline",
            "activeDeadlineSeconds",
            POLICY + "ActiveDeadline",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "ignores FailJob rules",
            "A FailJob rule fails the Job.",
            POLICY + "FailJob",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "runs suspended Jobs",
            "A suspended Job creates no pods.",
            ENGINE + "Decision",
            "next",
            insteadOf("suspend", BytecodeEdit::no)),
        new Mutation(
            "keeps startTime in suspension",
            "A suspended Job has no startTime.",
            ENGINE + "Decision",
            "pause",
            insteadOf(Opcode.ACONST_NULL, Mutations::storedStartTime).only(1)));
  }

  private static List<Mutation> creating() {
    return List.of(
        new Mutation(
            "creates one pod too many",
            "parallelism",
            ENGINE + "PodCreation",
            "wanted",
            answerBecomes(BytecodeEdit::oneMore)),
        new Mutation(
            "skips the back-off",
            "Failures delay new pods of the Job.",
            ENGINE + "PodCreation",
            "overall",
            insteadOf("isAfter", BytecodeEdit::no)),
        new Mutation(
            "skips the back-off of indexes",
            "Failures of an index delay its next pod.",
            ENGINE + "PodCreation",
            "perIndex",
            insteadOf("isAfter", BytecodeEdit::no)),
        new Mutation(
            "never increases the back-off",
            "Each failure doubles the back-off.",
            "model.ExponentialBackoff",
            "delay",
            answers(Mutations::base)),
        new Mutation(
            "replaces stopping pods",
            "podReplacementPolicy: Failed",
            ENGINE + "Ledger",
            "holdsBack",
            answers(BytecodeEdit::no)),
        new Mutation(
            "runs an index twice",
            "An index has one pod at a time.",
            ENGINE + "Ledger",
            "occupiesIndex",
            answers(BytecodeEdit::no)),
        new Mutation(
            "tells containers no index",
            "Containers have JOB_COMPLETION_INDEX.",
            CONTROLLERS + "PodFactory",
            "addIndexToEnvironment",
            insteadOf("forEach", _ -> {})),
        new Mutation(
            "forgets the template's metadata",
            "Pods have the labels of their template.",
            CONTROLLERS + "PodFactory",
            "prototype",
            insteadOf("objectAt", CodeBuilder::aconst_null)),
        new Mutation(
            "lets Jobs go before their pods",
            "A pod blocks the deletion of its Job in the foreground.",
            CONTROLLERS + "PodFactory",
            "ownerReference",
            insteadOf(Opcode.ICONST_1, CodeBuilder::iconst_0).only(2)));
  }

  /** Mutations of the code behind a Job's annotations. */
  private static List<Mutation> asked() {
    return List.of(
        new Mutation(
            "ignores delays of a Job",
            "stint.dev/pod-failure-backoff",
            CONTROLLERS + "OwnJobs",
            "backoff",
            insteadOf("podFailureBackoff", CodeBuilder::aconst_null)),
        new Mutation(
            "waits for ever for a start",
            "stint.dev/startup-deadline",
            ENGINE + "Decision",
            "lateStarts",
            insteadOf("startupDeadline", CodeBuilder::aconst_null)),
        new Mutation(
            "keeps all pods",
            "stint.dev/keep-pods",
            ENGINE + "UnkeptPods",
            "of",
            insteadOf("keepPods", CodeBuilder::aconst_null)),
        new Mutation(
            "deletes failed pods",
            "stint.dev/keep-pods: failed",
            POLICY + "KeepPods",
            "surplus",
            insteadOf("hasSucceeded", BytecodeEdit::yes)),
        new Mutation(
            "keeps one pod too few",
            "stint.dev/keep-pods: 3",
            POLICY + "KeepPods",
            "surplus",
            after(
                "most",
                code ->
                    code.iconst_1()
                        .isub()
                        .iconst_0()
                        .invokestatic(
                            type(Math.class),
                            "max",
                            MethodTypeDesc.of(type(int.class), type(int.class), type(int.class))))),
        new Mutation(
            "keeps the memory of the template",
            "stint.dev/memory-on-oom",
            ENGINE + "Ledger",
            "memory",
            answers(Mutations::emptyList)),
        new Mutation(
            "gives more memory than the maximum",
            "stint.dev/memory-on-oom: x1.5, max 16Gi",
            "model.job.options.MemoryGrowth",
            "next",
            insteadOf(Opcode.GETFIELD, code -> code.pop().loadConstant(Long.MAX_VALUE)).only(3)),
        new Mutation(
            "counts evicted pods as done",
            "stint.dev/evicted-is-not-done",
            POLICY + "EvictedPods",
            "judge",
            insteadOf("evictedIsNotDone", BytecodeEdit::no)),
        new Mutation(
            "ends pods that may restart once more",
            "backoffLimitPerIndex restarts are allowed.",
            ENGINE + "pod.RestartsPerIndex",
            "isExceeded",
            insteadOf(Opcode.IF_ICMPLE, code -> code.pop2())),
        new Mutation(
            "ends pods that run",
            "Only a pod that did not start has a startup deadline.",
            ENGINE + "pod.StartupDeadline",
            "of",
            insteadOf(Opcode.IF_ACMPNE, code -> code.pop2())));
  }

  /** Mutations of the code behind a Job's annotations about success. */
  private static List<Mutation> succeeding() {
    return List.of(
        new Mutation(
            "ignores success goals",
            "stint.dev/success-percentage",
            POLICY + "SuccessGoal",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "asks for one success too few",
            "A percentage of the completions is rounded up.",
            POLICY + "SuccessGoal",
            "evaluate",
            after("needed", code -> code.lconst_1().lsub())),
        new Mutation(
            "ignores reasons of a Job",
            "stint.dev/success-reason",
            POLICY + "SuccessCriteria",
            "reason",
            insteadOf("reasons", Mutations::emptyList)),
        new Mutation(
            "fails Jobs whose failed indexes are allowed",
            "stint.dev/complete-with-failed-indexes",
            POLICY + "FailedIndexesAllowed",
            "applies",
            answers(BytecodeEdit::no)),
        new Mutation(
            "ends pods that may go on",
            "stint.dev/linger",
            POLICY + "Lingering",
            "applies",
            answers(BytecodeEdit::no)),
        new Mutation(
            "replaces pods that only go on",
            "stint.dev/linger: Continue",
            POLICY + "Lingering",
            "recreates",
            answers(BytecodeEdit::yes)),
        new Mutation(
            "ignores counts of successes",
            "stint.dev/success-count",
            POLICY + "SuccessGoal",
            "evaluate",
            insteadOf("count", CodeBuilder::aconst_null)),
        new Mutation(
            "does not replace pods after the success",
            "stint.dev/linger: ContinueWithRecreations",
            POLICY + "Lingering",
            "recreates",
            answers(BytecodeEdit::no)));
  }

  /** Mutations of what starts Jobs after others. */
  private static List<Mutation> following() {
    return Stream.of(
            new Mutation(
                "starts before the others have ended",
                "stint.dev/after",
                "controllers.after.AfterPlan",
                "begin",
                insteadOf("allMatch", BytecodeEdit::yes)),
            new Mutation(
                "starts all indexes at once",
                "stint.dev/after: shards=index",
                ENGINE + "Decision",
                "run",
                insteadOf("startable", CodeBuilder::aconst_null)))
        .map(Mutation::amongControllers)
        .toList();
  }

  private static List<Mutation> doing() {
    return List.of(
        new Mutation(
            "skips a status write",
            "Finalizers come off only after the status is stored.",
            CONTROLLERS + "PlanExecutor",
            "writeStatus",
            answeredUnasked("updateStatus")),
        new Mutation(
            "ignores a refused status",
            "Finalizers come off, and events are sent, only if the status was stored.",
            CONTROLLERS + "PlanExecutor",
            "onStatusWritten",
            insteadOf("failedFuture", BytecodeEdit::done)),
        new Mutation(
            "deletes surplus pods too early",
            "Surplus pods lose their finalizer first, so that they are no failures.",
            CONTROLLERS + "PlanExecutor",
            "releasePods",
            insteadOf("untrack", BytecodeEdit::done).only(2)),
        new Mutation(
            "forgets created pods",
            "The next decision knows the pods that the controller created.",
            CONTROLLERS + "PodCreator",
            "record",
            insteadOf("put", BytecodeEdit::nothing)),
        new Mutation(
            "keeps finalizers of orphans",
            "Pods of a deleted Job lose their finalizer.",
            CONTROLLERS + "OrphanPods",
            "untrack",
            insteadOf("patch", BytecodeEdit::done)));
  }

  private static void empty(CodeBuilder code) {
    code.invokestatic(
        type(Optional.class), "empty", MethodTypeDesc.of(type(Optional.class)), false);
  }

  private static void emptyList(CodeBuilder code) {
    code.invokestatic(type(List.class), "of", MethodTypeDesc.of(type(List.class)), true);
  }

  private static void count(CodeBuilder code) {
    ClassDesc action = ClassDesc.of("dev.stint.model.job.PodFailurePolicy$Action");
    code.getstatic(action, "Count", action);
  }

  private static void storedStartTime(CodeBuilder code) {
    ClassDesc status = ClassDesc.of("dev.stint.model.job.JobStatus");
    code.aload(0)
        .getfield(ClassDesc.of("dev.stint.engine.Decision"), "stored", status)
        .invokevirtual(status, "startTime", MethodTypeDesc.of(type(Instant.class)));
  }

  /** The base of a back-off, whatever the number of failures. */
  private static void base(CodeBuilder code) {
    ClassDesc backoff = ClassDesc.of("dev.stint.model.ExponentialBackoff");
    code.aload(0).invokevirtual(backoff, "base", MethodTypeDesc.of(type(Duration.class)));
  }
}
