package dev.stint.simulation;

import static dev.stint.simulation.Edit.after;
import static dev.stint.simulation.Edit.answerBecomes;
import static dev.stint.simulation.Edit.answeredUnasked;
import static dev.stint.simulation.Edit.answers;
import static dev.stint.simulation.Edit.insteadOf;
import static dev.stint.simulation.Edit.type;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The faults that the worlds must find, by part of the system. */
final class Mutations {
  private static final String ENGINE = "engine.";
  private static final String POLICY = "engine.policy.";
  private static final String CONTROLLERS = "controllers.job.";
  private static final String RECONCILE = "reconcile.";

  private Mutations() {}

  static final List<Mutation> ALL =
      Stream.of(accounting(), deciding(), creating(), doing(), knowing(), below())
          .flatMap(List::stream)
          .toList();

  private static List<Mutation> accounting() {
    return List.of(
        new Mutation(
            "counters move at once",
            "a listed pod counts before its finalizer is off",
            ENGINE + "Accounting",
            "stillTracked",
            answers(Edit::no)),
        new Mutation(
            "uncounted without end",
            "the cap of the uncounted lists",
            ENGINE + "Accounting",
            "full",
            answers(Edit::no)),
        new Mutation(
            "ignored failures count",
            "failures that a rule ignores are not counted",
            ENGINE + "Accounting",
            "accountFailure",
            insteadOf("action", Mutations::count)),
        new Mutation(
            "let go unlisted",
            "a failure is listed before its finalizer comes off",
            ENGINE + "Accounting",
            "accountFailure",
            insteadOf("add", Edit::no)),
        new Mutation(
            "failures are forgotten",
            "the count of failures goes up as pods leave the list",
            ENGINE + "Accounting",
            "failedCount",
            answerBecomes(code -> code.pop().iconst_0())),
        new Mutation(
            "indexes are not recorded",
            "a success of an index enters completedIndexes",
            ENGINE + "Accounting",
            "accountSuccess",
            insteadOf("indexInRange", Edit::no)),
        new Mutation(
            "ended before its pods",
            "a Job ends only once its pods have stopped and are counted",
            ENGINE + "Accounting",
            "settled",
            answers(Edit::yes)),
        new Mutation(
            "finished Jobs hold on",
            "pods of a Job that has ended or goes away lose their finalizer",
            ENGINE + "Decision",
            "letGo",
            insteadOf("toList", Mutations::emptyList)));
  }

  private static List<Mutation> deciding() {
    return List.of(
        new Mutation(
            "success beats failure",
            "policies that fail a Job go before those that complete it",
            POLICY + "Verdict",
            "<clinit>",
            after(
                "of",
                code ->
                    code.invokeinterface(
                        type(List.class), "reversed", MethodTypeDesc.of(type(List.class))))),
        new Mutation(
            "verdicts are not final",
            "a stored interim condition stands",
            POLICY + "Verdict",
            "of",
            insteadOf("isPresent", Edit::no)),
        new Mutation(
            "back-off limit off by one",
            "backoffLimit",
            POLICY + "BackoffLimit",
            "exceededByPods",
            after("backoffLimit", Edit::oneMore)),
        new Mutation(
            "indexes without a limit",
            "backoffLimitPerIndex",
            POLICY + "BackoffLimitPerIndex",
            "failsIndex",
            answers(Edit::no)),
        new Mutation(
            "failures of an index are not handed on",
            "the failure count of the next pod of an index",
            POLICY + "BackoffLimitPerIndex",
            "nextFailureCount",
            insteadOf(Opcode.IADD, CodeBuilder::pop)),
        new Mutation(
            "maxFailedIndexes off by one",
            "maxFailedIndexes",
            POLICY + "MaxFailedIndexes",
            "evaluate",
            after("intValue", Edit::oneMore)),
        new Mutation(
            "success policies are not looked at",
            "successPolicy",
            POLICY + "SuccessCriteria",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "no deadline",
            "activeDeadlineSeconds",
            POLICY + "ActiveDeadline",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "FailJob is not looked at",
            "a rule that fails the Job",
            POLICY + "FailJob",
            "evaluate",
            answers(Mutations::empty)),
        new Mutation(
            "suspended Jobs run",
            "a suspended Job creates no pods",
            ENGINE + "Decision",
            "goOn",
            insteadOf("suspend", Edit::no)),
        new Mutation(
            "startTime survives suspension",
            "a suspended Job has no startTime",
            ENGINE + "Decision",
            "pause",
            insteadOf(Opcode.ACONST_NULL, Mutations::storedStartTime).only(1)));
  }

  private static List<Mutation> creating() {
    return List.of(
        new Mutation(
            "one pod too many",
            "parallelism",
            ENGINE + "PodCreation",
            "wanted",
            answerBecomes(Edit::oneMore)),
        new Mutation(
            "no back-off",
            "the back-off of the whole Job",
            ENGINE + "PodCreation",
            "overall",
            insteadOf("isAfter", Edit::no)),
        new Mutation(
            "no back-off of indexes",
            "the back-off of each index",
            ENGINE + "PodCreation",
            "perIndex",
            insteadOf("isAfter", Edit::no)),
        new Mutation(
            "back-off does not grow",
            "each failure doubles the back-off",
            "model.ExponentialBackoff",
            "delay",
            answers(Mutations::base)),
        new Mutation(
            "replaced while it stops",
            "podReplacementPolicy Failed",
            ENGINE + "Ledger",
            "holdsBack",
            answers(Edit::no)),
        new Mutation(
            "an index twice",
            "an index that has a pod gets no other",
            ENGINE + "Ledger",
            "occupiesIndex",
            answers(Edit::no)));
  }

  private static List<Mutation> doing() {
    return List.of(
        new Mutation(
            "a status write is skipped",
            "finalizers come off after the status is stored",
            CONTROLLERS + "PlanExecutor",
            "writeStatus",
            answeredUnasked("updateStatus")),
        new Mutation(
            "a refused status passes for stored",
            "finalizers come off, and events go out, only if the status held",
            CONTROLLERS + "PlanExecutor",
            "statusWritten",
            insteadOf("failedFuture", Edit::done)),
        new Mutation(
            "surplus pods are deleted first",
            "pods that are no longer wanted lose their finalizer first and are no failures",
            CONTROLLERS + "PlanExecutor",
            "letGo",
            insteadOf("untrack", Edit::done).only(2)),
        new Mutation(
            "created pods are not noted",
            "what the controller created is known to its next decision",
            CONTROLLERS + "PodCreator",
            "note",
            insteadOf("put", Edit::nothing)),
        new Mutation(
            "orphans keep their finalizer",
            "pods whose Job is gone lose their finalizer",
            CONTROLLERS + "OrphanPods",
            "untrack",
            insteadOf("patch", Edit::done)));
  }

  private static List<Mutation> knowing() {
    return List.of(
        new Mutation(
            "older states are applied",
            "a state never replaces a newer one",
            RECONCILE + "Informer",
            "isNewer",
            answers(Edit::yes)),
        new Mutation(
            "what is gone comes back",
            "answers that are older than what is known are dropped",
            RECONCILE + "Informer",
            "recordIfNew",
            insteadOf(Opcode.LCMP, code -> code.pop2().pop2().iconst_1())),
        new Mutation(
            "objects that vanish are not missed",
            "a list tells what is gone",
            RECONCILE + "Informer$Changes",
            "onListEnd",
            insteadOf("knownBefore", Edit::no)),
        new Mutation(
            "decided before pods are known",
            "nothing is decided before all pods are listed",
            RECONCILE + "WorkQueue",
            "drainSoon",
            insteadOf(Opcode.GETFIELD, code -> code.pop().iconst_1()).only(1)),
        new Mutation(
            "a watch skips events",
            "watches hear of everything",
            "apiserver.Watches$Watcher",
            "events",
            after(
                "stream",
                code ->
                    code.lconst_1()
                        .invokeinterface(
                            type(Stream.class),
                            "limit",
                            MethodTypeDesc.of(type(Stream.class), type(long.class))))));
  }

  private static List<Mutation> below() {
    return List.of(
        new Mutation(
            "answered before it is on disk",
            "a write is answered once it is durable",
            "store.Store",
            "sync",
            insteadOf("sync", Edit::nothing)),
        new Mutation(
            "revisions are not compared",
            "a write on the ground of an old state is refused",
            "apiserver.strategy.Preconditions",
            "check",
            insteadOf("equals", Edit::yes)),
        new Mutation(
            "statuses of pods get lost",
            "a pod's last status is written until it is answered",
            "runner.RetriedRequest",
            "answered",
            insteadOf("isTransient", Edit::no)));
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
