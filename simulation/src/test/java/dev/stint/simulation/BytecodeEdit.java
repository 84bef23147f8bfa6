package dev.stint.simulation;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A change to the code of one method, such as a typical mistake.
 *
 * @param where selects the instructions to change
 * @param nth the number of the one to change, from 1; 0 for all
 * @param what writes the replacement of the instruction
 */
record BytecodeEdit(
    Predicate<Instruction> where, int nth, BiConsumer<CodeBuilder, Instruction> what) {
  /**
   * @param applied runs after each change
   */
  CodeTransform transform(Runnable applied) {
    int[] seen = new int[1];
    return (CodeBuilder code, CodeElement element) -> {
      if (element instanceof Instruction instruction
          && where.test(instruction)
          && (++seen[0] == nth || nth == 0)) {
        what.accept(code, instruction);
        applied.run();
      } else {
        code.with(element);
      }
    };
  }

  /** Returns the same change for the n-th instruction only. */
  BytecodeEdit only(int n) {
    return new BytecodeEdit(where, n, what);
  }

  /** Makes the method return this value. */
  static BytecodeEdit answers(Consumer<CodeBuilder> value) {
    return new BytecodeEdit(
        ReturnInstruction.class::isInstance,
        0,
        (code, instruction) -> {
          TypeKind kind = ((ReturnInstruction) instruction).typeKind();
          drop(code, kind);
          value.accept(code);
          code.return_(kind);
        });
  }

  /** Changes the return value of the method. */
  static BytecodeEdit answerBecomes(Consumer<CodeBuilder> change) {
    return new BytecodeEdit(
        ReturnInstruction.class::isInstance,
        0,
        (code, instruction) -> {
          change.accept(code);
          code.with(instruction);
        });
  }

  /** Replaces a call by this result. */
  static BytecodeEdit insteadOf(String call, Consumer<CodeBuilder> value) {
    return new BytecodeEdit(
        calls(call),
        0,
        (code, instruction) -> {
          dropOperands(code, (InvokeInstruction) instruction);
          value.accept(code);
        });
  }

  /** Replaces a request with one argument by an answer with that argument. */
  static BytecodeEdit answeredUnasked(String call) {
    return new BytecodeEdit(
        calls(call),
        0,
        (code, _) -> {
          ClassDesc future = type(CompletableFuture.class);
          code.swap()
              .pop()
              .invokestatic(
                  future, "completedFuture", MethodTypeDesc.of(future, type(Object.class)));
        });
  }

  /** Changes the result of a call. */
  static BytecodeEdit after(String call, Consumer<CodeBuilder> change) {
    return new BytecodeEdit(
        calls(call),
        0,
        (code, instruction) -> {
          code.with(instruction);
          change.accept(code);
        });
  }

  /** Replaces an instruction. */
  static BytecodeEdit insteadOf(Opcode opcode, Consumer<CodeBuilder> value) {
    return new BytecodeEdit(
        instruction -> instruction.opcode() == opcode, 0, (code, _) -> value.accept(code));
  }

  private static Predicate<Instruction> calls(String name) {
    return instruction ->
        instruction instanceof InvokeInstruction invoke && invoke.name().equalsString(name);
  }

  /** Drops what a call would take: its arguments, and the object. */
  static void dropOperands(CodeBuilder code, InvokeInstruction call) {
    for (ClassDesc parameter : call.typeSymbol().parameterList().reversed()) {
      drop(code, TypeKind.from(parameter));
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
  }

  private static void drop(CodeBuilder code, TypeKind kind) {
    switch (kind.slotSize()) {
      case 0 -> {}
      case 1 -> code.pop();
      default -> code.pop2();
    }
  }

  static void yes(CodeBuilder code) {
    code.iconst_1();
  }

  static void no(CodeBuilder code) {
    code.iconst_0();
  }

  static void nothing(CodeBuilder code) {}

  /** Swaps {@code true} and {@code false}. */
  static void negated(CodeBuilder code) {
    code.iconst_1().ixor();
  }

  static void oneMore(CodeBuilder code) {
    code.iconst_1().iadd();
  }

  /** A future that completed successfully with null. */
  static void done(CodeBuilder code) {
    ClassDesc future = type(CompletableFuture.class);
    code.aconst_null()
        .invokestatic(future, "completedFuture", MethodTypeDesc.of(future, type(Object.class)));
  }

  static ClassDesc type(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }
}
