package dev.stint.simulation;

import static dev.stint.simulation.BytecodeEdit.type;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * Our code, loaded again once with many mutations in it, so that it is compiled once for all of
 * them. A method that they change has a copy for each, and goes on to that of the {@link
 * ActiveMutation}. A mutation of a static initializer is always in force, so it has to be alone.
 */
final class MutatedCode {
  private static final String INITIALIZER = "<clinit>";
  private static final MethodTypeDesc IS_ACTIVE =
      MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_String);
  private static final MethodTypeDesc STEP = MethodTypeDesc.of(ConstantDescs.CD_void);

  /** Counts the branches, so that no mutation goes on for ever. */
  private static final CodeTransform STEPS =
      (code, element) -> {
        if (element instanceof BranchInstruction) {
          code.invokestatic(type(ActiveMutation.class), "step", STEP);
        }
        code.with(element);
      };

  private final List<Mutation> mutations;
  private final Set<Mutation> applied = ConcurrentHashMap.newKeySet();

  /** Each counts over all methods that its mutation concerns. */
  private final Map<Mutation, CodeTransform> edits = new ConcurrentHashMap<>();

  private final ReloadedClasses classes = new ReloadedClasses(this::changed);

  MutatedCode(List<Mutation> mutations) {
    this.mutations = mutations;
  }

  /** True if a mutation cannot be put into the same code as others. */
  static boolean isAlone(Mutation mutation) {
    return mutation.method().equals(INITIALIZER);
  }

  /** Returns what plays the worlds of seeds with one of the mutations in force. */
  LongConsumer player(Mutation mutation) {
    classes.load(ReloadedClasses.OURS + mutation.type());
    if (!applied.contains(mutation)) {
      throw new AssertionError(
          "mutation \"%s\" finds nothing to change in %s.%s"
              .formatted(mutation.name(), mutation.type(), mutation.method()));
    }
    @SuppressWarnings("unchecked")
    ObjLongConsumer<String> worlds =
        classes.create(Mutation.Player.class, ObjLongConsumer.class, mutation.worlds());
    return seed -> worlds.accept(mutation.key(), seed);
  }

  private byte[] changed(String name, byte[] code) {
    List<Mutation> ofClass =
        mutations.stream().filter(each -> name.equals(ReloadedClasses.OURS + each.type())).toList();
    return ofClass.isEmpty()
        ? code
        : ClassFile.of()
            .transformClass(
                ClassFile.of().parse(code),
                (builder, element) -> change(builder, element, ofClass));
  }

  private void change(ClassBuilder builder, ClassElement element, List<Mutation> ofClass) {
    if (!(element instanceof MethodModel method)) {
      builder.with(element);
      return;
    }
    List<Mutation> ofMethod = ofClass.stream().filter(each -> each.concerns(method)).toList();
    if (ofMethod.isEmpty()) {
      builder.with(method);
    } else if (isAlone(ofMethod.getFirst())) {
      builder.transformMethod(method, MethodTransform.transformingCode(edit(ofMethod.getFirst())));
    } else {
      ofMethod.forEach(mutation -> addCopy(builder, method, mutation));
      builder.transformMethod(method, MethodTransform.transformingCode(detours(method, ofMethod)));
    }
  }

  private CodeTransform edit(Mutation mutation) {
    return edits.computeIfAbsent(
        mutation, _ -> mutation.edit().transform(() -> applied.add(mutation)));
  }

  private void addCopy(ClassBuilder builder, MethodModel method, Mutation mutation) {
    int kept = method.flags().flagsMask() & AccessFlag.STATIC.mask();
    builder.withMethod(
        copyOf(method, mutation),
        method.methodTypeSymbol(),
        kept | AccessFlag.PRIVATE.mask() | AccessFlag.SYNTHETIC.mask(),
        copy -> copy.transformCode(method.code().orElseThrow(), edit(mutation).andThen(STEPS)));
  }

  private String copyOf(MethodModel method, Mutation mutation) {
    return method.methodName().stringValue() + "$mutant" + mutations.indexOf(mutation);
  }

  /** Returns a change by which a method asks first which of its copies is to be used. */
  private CodeTransform detours(MethodModel method, List<Mutation> ofMethod) {
    return CodeTransform.ofStateful(() ->
        new CodeTransform() {
          @Override
          public void atStart(CodeBuilder code) {
            Label original = code.newLabel();
            // Quickly, since most methods have no active mutation, however many they have.
            code.ldc(ofMethod.getFirst().place())
                .invokestatic(type(ActiveMutation.class), "isIn", IS_ACTIVE)
                .ifeq(original);
            ofMethod.forEach(mutation -> detour(code, method, mutation));
            code.labelBinding(original);
          }

          @Override
          public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
          }
        });
  }

  private static boolean isInInterface(MethodModel method) {
    return method.parent().orElseThrow().flags().has(AccessFlag.INTERFACE);
  }

  private void detour(CodeBuilder code, MethodModel method, Mutation mutation) {
    Label original = code.newLabel();
    ClassDesc owner = ClassDesc.of(ReloadedClasses.OURS + mutation.type());
    MethodTypeDesc type = method.methodTypeSymbol();
    boolean bound = !method.flags().has(AccessFlag.STATIC);
    code.ldc(mutation.name())
        .invokestatic(type(ActiveMutation.class), "is", IS_ACTIVE)
        .ifeq(original);
    if (bound) {
      code.aload(0);
    }
    for (int i = 0; i < type.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(type.parameterType(i)), code.parameterSlot(i));
    }
    String copy = copyOf(method, mutation);
    boolean isInterface = isInInterface(method);
    (bound
            ? code.invokespecial(owner, copy, type, isInterface)
            : code.invokestatic(owner, copy, type, isInterface))
        .return_(TypeKind.from(type.returnType()))
        .labelBinding(original);
  }
}
