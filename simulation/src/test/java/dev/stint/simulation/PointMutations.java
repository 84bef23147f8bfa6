package dev.stint.simulation;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The small changes to one instruction, at each place of a class where there can be one: what a
 * slip of the hand would do.
 */
final class PointMutations {
  private static final Set<String> UNTOLD = Set.of("toString", "hashCode", "equals");

  private static final Map<Opcode, Opcode> OPPOSITES =
      bothWays(
          Map.of(
              Opcode.IFEQ, Opcode.IFNE,
              Opcode.IFLT, Opcode.IFGE,
              Opcode.IFGT, Opcode.IFLE,
              Opcode.IFNULL, Opcode.IFNONNULL,
              Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE,
              Opcode.IF_ICMPLT, Opcode.IF_ICMPGE,
              Opcode.IF_ICMPGT, Opcode.IF_ICMPLE,
              Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE));

  private static final Map<Opcode, Opcode> BOUNDARIES =
      bothWays(
          Map.of(
              Opcode.IFLT, Opcode.IFLE,
              Opcode.IFGT, Opcode.IFGE,
              Opcode.IF_ICMPLT, Opcode.IF_ICMPLE,
              Opcode.IF_ICMPGT, Opcode.IF_ICMPGE));

  /** The operators that are exchanged. */
  private static final Map<Opcode, BiConsumer<CodeBuilder, Instruction>> OPERATORS =
      Map.of(
          Opcode.IADD, (code, _) -> code.isub(),
          Opcode.ISUB, (code, _) -> code.iadd(),
          Opcode.LADD, (code, _) -> code.lsub(),
          Opcode.LSUB, (code, _) -> code.ladd(),
          Opcode.IMUL, (code, _) -> code.iadd(),
          Opcode.LMUL, (code, _) -> code.ladd());

  private PointMutations() {}

  /** A kind of change, and the instructions that it can change. */
  private record Kind(
      String name, Predicate<Instruction> where, BiConsumer<CodeBuilder, Instruction> what) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "negates a condition",
              each -> OPPOSITES.containsKey(each.opcode()),
              (code, each) -> branch(code, each, OPPOSITES)),
          new Kind(
              "moves a boundary",
              each -> BOUNDARIES.containsKey(each.opcode()),
              (code, each) -> branch(code, each, BOUNDARIES)),
          new Kind(
              "exchanges an operator",
              each -> each instanceof OperatorInstruction && OPERATORS.containsKey(each.opcode()),
              (code, each) -> OPERATORS.get(each.opcode()).accept(code, each)),
          new Kind("leaves out a call", PointMutations::isCall, PointMutations::leaveOut),
          new Kind(
              "changes a constant",
              each -> each.opcode() == Opcode.ICONST_0 || each.opcode() == Opcode.ICONST_1,
              (code, each) -> code.loadConstant(1 - number(each))));

  /** A place in a class. */
  private record Place(Kind kind, String method, int nth, int line) {}

  /**
   * Returns all changes to a class.
   *
   * @param type its name below {@code dev.stint}
   */
  static List<Mutation> of(String type) throws ClassNotFoundException {
    List<Place> places = new ArrayList<>();
    Map<Object, Integer> counts = new LinkedHashMap<>();
    ClassModel model = ClassFile.of().parse(ReloadedClasses.code(ReloadedClasses.OURS + type));
    model.methods().stream()
        .filter(PointMutations::isMutable)
        .forEach(method -> find(method, counts, places));
    return places.stream().map(place -> of(type, place)).toList();
  }

  private static Mutation of(String type, Place place) {
    String name = "line %d %s (%d)".formatted(place.line, place.kind.name, place.nth);
    BytecodeEdit edit = new BytecodeEdit(place.kind.where, place.nth, place.kind.what);
    return new Mutation(name, "", type, place.method, edit);
  }

  private static boolean isMutable(MethodModel method) {
    String name = method.methodName().stringValue();
    return method.code().isPresent()
        && !name.startsWith("<")
        && !UNTOLD.contains(name)
        && (name.startsWith("lambda$") || !method.flags().has(AccessFlag.SYNTHETIC));
  }

  /** Counts as {@link Mutation#concerns} selects: over all methods of a name and their lambdas. */
  private static void find(MethodModel method, Map<Object, Integer> counts, List<Place> places) {
    String name = method.methodName().stringValue();
    String owner = name.startsWith("lambda$") ? name.split("\\$")[1] : name;
    int line = 0;
    for (CodeElement element : method.code().orElseThrow()) {
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof Instruction instruction) {
        for (Kind kind : KINDS) {
          if (kind.where.test(instruction)) {
            int nth = counts.merge(List.of(kind, owner), 1, Integer::sum);
            places.add(new Place(kind, owner, nth, line));
          }
        }
      }
    }
  }

  private static void branch(CodeBuilder code, Instruction from, Map<Opcode, Opcode> to) {
    BranchInstruction branch = (BranchInstruction) from;
    code.branch(to.get(branch.opcode()), branch.target());
  }

  private static boolean isCall(Instruction instruction) {
    return instruction instanceof InvokeInstruction call
        && call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
        && !call.name().equalsString("<init>");
  }

  private static void leaveOut(CodeBuilder code, Instruction instruction) {
    BytecodeEdit.dropOperands(code, (InvokeInstruction) instruction);
  }

  private static int number(Instruction instruction) {
    return (Integer) ((ConstantInstruction) instruction).constantValue();
  }

  private static Map<Opcode, Opcode> bothWays(Map<Opcode, Opcode> one) {
    Map<Opcode, Opcode> both = new LinkedHashMap<>(one);
    one.forEach((from, to) -> both.put(to, from));
    return both;
  }
}
