package dev.stint.apiextensions.rule;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks what is written in a rule: durations, times and regular expressions, and that all items of
 * a list or map have one type.
 */
final class LiteralRules {
  private static final Pattern DURATION =
      Pattern.compile("[-+]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+|[-+]?0");
  private static final long FIRST_SECOND = -62_135_596_800L;
  private static final long LAST_SECOND = 253_402_300_799L;

  private final CelAbstractSyntaxTree rule;
  private final List<CelIssue> issues = new ArrayList<>();
  private @Nullable String program;

  private LiteralRules(CelAbstractSyntaxTree rule) {
    this.rule = rule;
  }

  /** Returns what is wrong, in the words of a compiler; null if nothing is. */
  static @Nullable String fault(CelAbstractSyntaxTree rule) {
    LiteralRules rules = new LiteralRules(rule);
    rules.check(rule.getExpr(), false);
    if (!rules.issues.isEmpty()) {
      return "compilation failed: " + RuleIssues.shown(rules.issues, rule.getSource());
    }
    return rules.program;
  }

  /**
   * Checks an expression and its parts.
   *
   * @param isFormatted whether it is an argument of {@code format}, which takes all types
   */
  private void check(CelExpr expr, boolean isFormatted) {
    switch (expr.getKind()) {
      case SELECT -> check(expr.select().operand(), isFormatted);
      case CALL -> call(expr.call(), isFormatted);
      case LIST -> {
        List<CelExpr> elements = expr.list().elements();
        sameTypes(elements, i -> expr.list().optionalIndices().contains(i), isFormatted);
        elements.forEach(element -> check(element, isFormatted));
      }
      case MAP -> {
        List<CelExpr.CelMap.Entry> entries = expr.map().entries();
        sameTypes(
            entries.stream().map(CelExpr.CelMap.Entry::key).toList(), _ -> false, isFormatted);
        sameTypes(
            entries.stream().map(CelExpr.CelMap.Entry::value).toList(),
            i -> entries.get(i).optionalEntry(),
            isFormatted);
        entries.forEach(entry -> check(entry.value(), isFormatted));
      }
      case COMPREHENSION -> loop(expr.comprehension(), isFormatted);
      case CONSTANT, IDENT, STRUCT, NOT_SET -> {}
    }
  }

  private void loop(CelComprehension loop, boolean isFormatted) {
    check(loop.iterRange(), isFormatted);
    check(loop.accuInit(), isFormatted);
    check(loop.loopCondition(), isFormatted);
    check(loop.loopStep(), isFormatted);
    check(loop.result(), isFormatted);
  }

  private void call(CelCall call, boolean isFormatted) {
    boolean formats = isFormatted || call.function().equals("format");
    call.target().ifPresent(target -> check(target, formats));
    call.args().forEach(argument -> check(argument, formats));
    CelExpr last = call.args().isEmpty() ? null : call.args().getLast();
    if (last == null || last.getKind() != Kind.CONSTANT) {
      return;
    }
    CelConstant value = last.constant();
    boolean isText = value.getKind() == CelConstant.Kind.STRING_VALUE;
    switch (call.function()) {
      case "duration" -> require(!isText || isDuration(value.stringValue()), last, call);
      case "timestamp" -> require(isTimestamp(value), last, call);
      case "matches" -> require(!isText || patternFault(value.stringValue()) == null, last, call);
      case "find", "findAll" -> pattern(call.args().getFirst());
      default -> {}
    }
  }

  private static boolean isDuration(String text) {
    return DURATION.matches(text);
  }

  private static boolean isTimestamp(CelConstant value) {
    try {
      return switch (value.getKind()) {
        case STRING_VALUE -> isInRange(OffsetDateTime.parse(value.stringValue()).toEpochSecond());
        case INT64_VALUE -> isInRange(value.int64Value());
        default -> true;
      };
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isInRange(long second) {
    return second >= FIRST_SECOND && second <= LAST_SECOND;
  }

  private void pattern(CelExpr pattern) {
    boolean isText =
        pattern.getKind() == Kind.CONSTANT
            && pattern.constant().getKind() == CelConstant.Kind.STRING_VALUE;
    String fault = isText ? patternFault(pattern.constant().stringValue()) : null;
    if (fault != null) {
      program = "program instantiation failed: " + fault;
    }
  }

  private static @Nullable String patternFault(String pattern) {
    try {
      Pattern.compile(pattern);
      return null;
    } catch (PatternSyntaxException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void require(boolean isSound, CelExpr at, CelCall call) {
    if (!isSound) {
      report(at, "invalid " + call.function() + " argument");
    }
  }

  private void sameTypes(List<CelExpr> values, IntPredicate isOptional, boolean isFormatted) {
    CelType first = null;
    for (int i = 0; i < values.size() && !isFormatted; i++) {
      CelType type = type(values.get(i));
      CelType own =
          isOptional.test(i) && !type.parameters().isEmpty() ? type.parameters().getFirst() : type;
      if (first != null && !first.equals(own)) {
        report(
            values.get(i), "expected type '" + first.name() + "' but found '" + own.name() + "'");
        return;
      }
      first = own;
    }
  }

  private CelType type(CelExpr expr) {
    return rule.getType(expr.id()).orElse(SimpleType.DYN);
  }

  private void report(CelExpr at, String message) {
    CelSource source = rule.getSource();
    CelSourceLocation location =
        source
            .getOffsetLocation(source.getPositionsMap().getOrDefault(at.id(), 0))
            .orElse(CelSourceLocation.NONE);
    issues.add(CelIssue.formatError(at.id(), location, message));
  }
}
