package dev.stint.simulation;

import static dev.stint.simulation.BytecodeEdit.after;
import static dev.stint.simulation.BytecodeEdit.answers;
import static dev.stint.simulation.BytecodeEdit.insteadOf;
import static dev.stint.simulation.BytecodeEdit.type;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The faults of which pods are a Job's, which of them go, and when others come. */
final class MutationsOfPods {
  private static final String CONTROLLERS = "controllers.job.";
  private static final String ENGINE = "engine.";

  private MutationsOfPods() {}

  static final List<Mutation> ALL =
      List.of(
          new Mutation(
              "adopts pods of another controller",
              "A pod has one controller.",
              CONTROLLERS + "JobController$PodListener",
              "onUpdate",
              insteadOf("controllerUid", CodeBuilder::aconst_null)),
          new Mutation(
              "adopts pods untracked",
              "A pod gets owner and finalizer at once.",
              CONTROLLERS + "Adoption",
              "adopting",
              insteadOf("contains", BytecodeEdit::yes)),
          new Mutation(
              "keeps pods that match no more",
              "A pod that the selector does not match is released.",
              CONTROLLERS + "PodOwnership",
              "releaseUnlessMatching",
              insteadOf("matches", BytecodeEdit::yes)),
          new Mutation(
              "counts pods again that lost their owner",
              "A finished pod that is not tracked was counted.",
              CONTROLLERS + "Adoption",
              "isCounted",
              answers(BytecodeEdit::no)),
          new Mutation(
              "lets pods of others go",
              "A pod that is read anew may have another controller.",
              CONTROLLERS + "PlanExecutor",
              "find",
              insteadOf("owns", BytecodeEdit::yes)),
          new Mutation(
              "lets go what has come furthest",
              "The pods that have come least far go first.",
              ENGINE + "PodCreation",
              "leastProgressFirst",
              after("thenComparing", MutationsOfPods::reversed).only(4)),
          new Mutation(
              "waits twice as long",
              "A pod is created as soon as the back-off is over.",
              ENGINE + "Ledger",
              "backedOffUntil",
              after("delay", MutationsOfPods::doubled)),
          new Mutation(
              "waits twice as long for an index",
              "A pod is created as soon as the back-off of its index is over.",
              ENGINE + "IndexRetries",
              "schedule",
              after("delay", MutationsOfPods::doubled)));

  private static void reversed(CodeBuilder code) {
    code.invokeinterface(
        type(Comparator.class), "reversed", MethodTypeDesc.of(type(Comparator.class)));
  }

  private static void doubled(CodeBuilder code) {
    code.loadConstant(2L)
        .invokevirtual(
            type(Duration.class),
            "multipliedBy",
            MethodTypeDesc.of(type(Duration.class), type(long.class)));
  }
}
