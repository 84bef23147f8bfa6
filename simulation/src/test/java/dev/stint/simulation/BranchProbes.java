package dev.stint.simulation;

import static dev.stint.simulation.BytecodeEdit.type;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Reports each branch that code takes to {@link BranchCounts}: both ways, and each case. */
final class BranchProbes {
  private static final ClassDesc COUNTS = type(BranchCounts.class);
  private static final MethodTypeDesc HIT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final AtomicInteger branches = new AtomicInteger();

  /** Returns the code of a class with probes in it. */
  byte[] in(String name, byte[] code) {
    return name.startsWith(BranchCounts.class.getName())
        ? code
        : ClassFile.of()
            .transformClass(
                ClassFile.of().parse(code),
                ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(Probes::new)));
  }

  private final class Probes implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      probe(code);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      switch (element) {
        case BranchInstruction jump when !isGoto(jump) -> branch(code, jump);
        case LookupSwitchInstruction choice -> {
          List<Label> targets = new ArrayList<>();
          List<SwitchCase> cases = detoured(code, choice.cases(), targets);
          Label otherwise = code.newLabel();
          code.lookupswitch(otherwise, cases);
          detours(code, choice.cases(), targets, otherwise, choice.defaultTarget());
        }
        case TableSwitchInstruction choice -> {
          List<Label> targets = new ArrayList<>();
          List<SwitchCase> cases = detoured(code, choice.cases(), targets);
          Label otherwise = code.newLabel();
          code.tableswitch(choice.lowValue(), choice.highValue(), otherwise, cases);
          detours(code, choice.cases(), targets, otherwise, choice.defaultTarget());
        }
        default -> code.with(element);
      }
    }

    private static boolean isGoto(BranchInstruction jump) {
      return jump.opcode() == Opcode.GOTO || jump.opcode() == Opcode.GOTO_W;
    }

    private void branch(CodeBuilder code, BranchInstruction jump) {
      Label taken = code.newLabel();
      Label on = code.newLabel();
      code.branch(jump.opcode(), taken);
      probe(code);
      code.goto_(on).labelBinding(taken);
      probe(code);
      code.goto_(jump.target()).labelBinding(on);
    }

    private static List<SwitchCase> detoured(
        CodeBuilder code, List<SwitchCase> cases, List<Label> targets) {
      List<SwitchCase> detoured = new ArrayList<>();
      for (SwitchCase one : cases) {
        Label target = code.newLabel();
        targets.add(target);
        detoured.add(SwitchCase.of(one.caseValue(), target));
      }
      return detoured;
    }

    private void detours(
        CodeBuilder code, List<SwitchCase> cases, List<Label> targets, Label other, Label end) {
      for (int i = 0; i < cases.size(); i++) {
        detour(code, targets.get(i), cases.get(i).target());
      }
      detour(code, other, end);
    }

    private void detour(CodeBuilder code, Label from, Label to) {
      code.labelBinding(from);
      probe(code);
      code.goto_(to);
    }

    private void probe(CodeBuilder code) {
      code.loadConstant(branches.getAndIncrement()).invokestatic(COUNTS, "hit", HIT);
    }
  }
}
