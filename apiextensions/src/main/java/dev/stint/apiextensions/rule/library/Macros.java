package dev.stint.apiextensions.rule.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelIssue;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.List;
import java.util.Optional;

/** Macros that are expanded as in Kubernetes, so that their steps cost the same. */
final class Macros {
  private static final String KEYS = "@__sortBy_input__";
  private static final String UNUSED = "#unused";

  /** A macro copies nothing in a rule with more nodes: a chain of copies doubles with each link. */
  private static final int MOST_NODES = 10_000;

  private Macros() {}

  static List<CelMacro> all() {
    return List.of(
        CelMacro.newReceiverMacro("sortBy", 2, Macros::sortBy),
        CelMacro.newReceiverMacro("optMap", 2, Macros::optMap),
        CelMacro.newReceiverMacro("optFlatMap", 2, Macros::optFlatMap));
  }

  /** Expands {@code list.sortBy(e, key)}: sorts the list by the list of keys. */
  private static Optional<CelExpr> sortBy(
      CelMacroExprFactory make, CelExpr list, ImmutableList<CelExpr> arguments) {
    if (arguments.getFirst().getKind() != Kind.IDENT) {
      return notAName(make, arguments.getFirst(), "sortBy");
    }
    String result = make.getAccumulatorVarName();
    CelExpr keys =
        make.fold(
            arguments.getFirst().ident().name(),
            make.newIdentifier(KEYS),
            result,
            make.newList(),
            make.newBoolLiteral(true),
            make.newGlobalCall("_+_", make.newIdentifier(result), make.newList(arguments.get(1))),
            make.newIdentifier(result));
    CelExpr sorted = make.newReceiverCall("@sortByAssociatedKeys", make.newIdentifier(KEYS), keys);
    return Optional.of(bind(make, KEYS, list, sorted));
  }

  private static Optional<CelExpr> optMap(
      CelMacroExprFactory make, CelExpr optional, ImmutableList<CelExpr> arguments) {
    return mapped(make, "optMap", optional, arguments);
  }

  private static Optional<CelExpr> optFlatMap(
      CelMacroExprFactory make, CelExpr optional, ImmutableList<CelExpr> arguments) {
    return mapped(make, "optFlatMap", optional, arguments);
  }

  private static Optional<CelExpr> mapped(
      CelMacroExprFactory make, String macro, CelExpr optional, ImmutableList<CelExpr> arguments) {
    if (arguments.getFirst().getKind() != Kind.IDENT) {
      return notAName(make, arguments.getFirst(), macro);
    }
    if (hasTooManyNodes(make)) {
      return refused(
          make, optional, macro + "() makes the rule too large: it copies what stands before it");
    }
    String name = arguments.getFirst().ident().name();
    CelExpr value = make.newReceiverCall("value", make.copy(optional));
    CelExpr mapped = bind(make, name, value, arguments.get(1));
    CelExpr result = macro.equals("optMap") ? make.newGlobalCall("optional.of", mapped) : mapped;
    return Optional.of(
        make.newGlobalCall(
            "_?_:_",
            make.newReceiverCall("hasValue", optional),
            result,
            make.newGlobalCall("optional.none")));
  }

  /** True if a rule has too many nodes already. They are numbered in the order they are made in. */
  private static boolean hasTooManyNodes(CelMacroExprFactory make) {
    return make.newBoolLiteral(true).id() > MOST_NODES;
  }

  /** Returns an expression in which a name stands for a value. */
  private static CelExpr bind(
      CelMacroExprFactory make, String name, CelExpr value, CelExpr result) {
    return make.fold(
        UNUSED,
        make.newList(),
        name,
        value,
        make.newBoolLiteral(false),
        make.newIdentifier(name),
        result);
  }

  private static Optional<CelExpr> notAName(CelMacroExprFactory make, CelExpr at, String macro) {
    return refused(make, at, macro + "() variable name must be a simple identifier");
  }

  private static Optional<CelExpr> refused(CelMacroExprFactory make, CelExpr at, String why) {
    return Optional.of(make.reportError(CelIssue.formatError(make.getSourceLocation(at), why)));
  }
}
