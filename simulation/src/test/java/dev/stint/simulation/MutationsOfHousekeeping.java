package dev.stint.simulation;

import static dev.stint.simulation.BytecodeEdit.after;
import static dev.stint.simulation.BytecodeEdit.insteadOf;
import static dev.stint.simulation.BytecodeEdit.type;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The faults that worlds must find in the controllers that look after namespaces, CronJobs and pods
 * that nothing else deletes.
 */
final class MutationsOfHousekeeping {
  private static final String PODS = "controllers.gc.PodGarbageCollector";
  private static final String POD = "controllers.gc.CollectablePod";
  private static final String NAMESPACES = "controllers.namespace.NamespaceController";
  private static final String CRON = "controllers.cronjob.";
  private static final String CRON_JOBS = CRON + "CronJobController";

  static final List<Mutation> ALL =
      Stream.of(collecting(), emptying(), starting(), keeping())
          .flatMap(List::stream)
          .map(each -> each.in(WorldKind.HOUSEKEEPING))
          .toList();

  private MutationsOfHousekeeping() {}

  private static List<Mutation> collecting() {
    return List.of(
        new Mutation(
            "fails pods as soon as their node is gone",
            "A node has to be gone for 40 s before its pods fail.",
            PODS,
            "longMissing",
            insteadOf("isAfter", BytecodeEdit::no)),
        new Mutation(
            "believes that a node is gone",
            "The collector asks for a node before it fails its pods.",
            PODS,
            "verify",
            insteadOf(Opcode.IFNONNULL, CodeBuilder::pop)),
        new Mutation(
            "overlooks that a node was back",
            "A node has to be gone for 40 s before its pods fail.",
            PODS + "$NodeListener",
            "onUpdate",
            insteadOf("remove", CodeBuilder::aconst_null)),
        new Mutation(
            "fails pods that have ended",
            "A pod of a lost node that has ended keeps its outcome.",
            PODS,
            "fail",
            insteadOf("isTerminal", BytecodeEdit::no)),
        new Mutation(
            "leaves pods of lost nodes",
            "Pods whose node is gone are deleted.",
            POD,
            "orphans",
            insteadOf("toList", MutationsOfHousekeeping::none)),
        new Mutation(
            "deletes the newest finished pods",
            "The oldest finished pods above the threshold are deleted.",
            POD,
            "<clinit>",
            after("thenComparing", MutationsOfHousekeeping::reversed)),
        new Mutation(
            "keeps all finished pods",
            "The oldest finished pods above the threshold are deleted.",
            POD,
            "surplus",
            insteadOf("finished", BytecodeEdit::no)));
  }

  private static List<Mutation> emptying() {
    return List.of(
        new Mutation(
            "finalizes namespaces with objects",
            "A namespace goes once it is empty.",
            NAMESPACES,
            "onRoundEnd",
            insteadOf("isEmpty", BytecodeEdit::yes)),
        new Mutation(
            "deletes what pods may need",
            "The pods of a namespace go before all else.",
            NAMESPACES,
            "round",
            insteadOf("isEmpty", BytecodeEdit::yes)),
        new Mutation(
            "empties namespaces once",
            "A round is repeated until nothing is left.",
            NAMESPACES,
            "onRoundEnd",
            insteadOf("addAt", BytecodeEdit::nothing)),
        new Mutation(
            "overlooks a list that failed",
            "A namespace is empty if all of its kinds could be listed.",
            "controllers.namespace.NamespaceContents",
            "addFailure",
            insteadOf("add", BytecodeEdit::yes)));
  }

  private static List<Mutation> starting() {
    return List.of(
        new Mutation(
            "starts suspended CronJobs",
            "suspend",
            CRON_JOBS,
            "schedule",
            insteadOf("equals", BytecodeEdit::no)),
        new Mutation(
            "starts Jobs side by side",
            "concurrencyPolicy: Forbid",
            CRON_JOBS,
            "mayStart",
            insteadOf("isEmpty", BytecodeEdit::yes)),
        new Mutation(
            "replaces nothing",
            "concurrencyPolicy: Replace",
            CRON_JOBS,
            "startDue",
            insteadOf("equals", BytecodeEdit::no)),
        new Mutation(
            "starts after the deadline",
            "startingDeadlineSeconds",
            CRON_JOBS,
            "mayStart",
            insteadOf("late", BytecodeEdit::no)),
        new Mutation(
            "starts again what it has started",
            "A CronJob is started once for each due time.",
            CRON_JOBS,
            "dueTimes",
            insteadOf(Opcode.GETFIELD, code -> code.pop().aconst_null()).only(2)),
        new Mutation(
            "sleeps until something changes",
            "A CronJob is started when it is due.",
            CRON_JOBS,
            "wakeAt",
            insteadOf("addAt", BytecodeEdit::nothing)),
        new Mutation(
            "takes another's Job for its own",
            "A Job of the same name is a CronJob's own if that controls it.",
            CRON_JOBS,
            "onNameConflict",
            insteadOf("equals", BytecodeEdit::yes)),
        new Mutation(
            "forgets starts",
            "A start is recorded in the status.",
            CRON + "CronStatus",
            "recordStart",
            insteadOf("latest", CodeBuilder::aconst_null)),
        new Mutation(
            "forgets successes",
            "A success is recorded in the status.",
            CRON + "CronStatus",
            "recordEnd",
            insteadOf("latest", CodeBuilder::aconst_null).only(1)),
        new Mutation(
            "makes Jobs that block nothing",
            "A CronJob that is deleted in the foreground waits for its Jobs.",
            CRON + "CronJobMaker",
            "job",
            insteadOf("put", CodeBuilder::aconst_null)));
  }

  private static List<Mutation> keeping() {
    return List.of(
        new Mutation(
            "keeps one Job too few",
            "successfulJobsHistoryLimit",
            CRON + "JobHistory",
            "beyond",
            after("intValue", MutationsOfHousekeeping::oneLess)),
        new Mutation(
            "keeps one Job too many",
            "successfulJobsHistoryLimit",
            CRON + "JobHistory",
            "beyond",
            after("intValue", BytecodeEdit::oneMore)),
        new Mutation(
            "keeps the oldest Jobs",
            "The oldest Jobs above the limits are deleted.",
            CRON + "OwnedJob",
            "<clinit>",
            after("thenComparing", MutationsOfHousekeeping::reversed)),
        new Mutation(
            "keeps Jobs active that have ended",
            "status.active lists the Jobs that run.",
            CRON_JOBS,
            "account",
            insteadOf("remove", CodeBuilder::aconst_null)),
        new Mutation(
            "keeps Jobs active that are gone",
            "status.active lists the Jobs that run.",
            CRON_JOBS,
            "dropMissing",
            insteadOf("remove", CodeBuilder::aconst_null)));
  }

  private static void none(CodeBuilder code) {
    code.invokestatic(type(List.class), "of", MethodTypeDesc.of(type(List.class)), true);
  }

  private static void oneLess(CodeBuilder code) {
    ClassDesc number = type(int.class);
    code.iconst_1()
        .isub()
        .iconst_0()
        .invokestatic(type(Math.class), "max", MethodTypeDesc.of(number, number, number));
  }

  private static void reversed(CodeBuilder code) {
    ClassDesc order = type(Comparator.class);
    code.invokeinterface(order, "reversed", MethodTypeDesc.of(order));
  }
}
