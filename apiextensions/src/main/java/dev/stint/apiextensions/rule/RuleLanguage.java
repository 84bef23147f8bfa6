package dev.stint.apiextensions.rule;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime.Program;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import dev.cel.runtime.standard.GetMillisecondsFunction.GetMillisecondsOverload;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import dev.stint.apiextensions.rule.library.AddressLibrary;
import dev.stint.apiextensions.rule.library.FormatLibrary;
import dev.stint.apiextensions.rule.library.Functions;
import dev.stint.apiextensions.rule.library.ListLibrary;
import dev.stint.apiextensions.rule.library.ListOperations;
import dev.stint.apiextensions.rule.library.QuantityLibrary;
import dev.stint.apiextensions.rule.library.SemverLibrary;
import dev.stint.apiextensions.rule.library.TextLibrary;
import dev.stint.apiextensions.rule.library.UrlLibrary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The dialect of CEL that rules are written in: Kubernetes' libraries, lists that compare by their
 * type, and no function whose cost is not counted.
 */
final class RuleLanguage {
  /** Loops of one evaluation end here, should the meter not stop them before. */
  private static final int MAX_ITERATIONS = 1_000_000;

  private static final int MAX_CODE_POINTS = 100_000;

  /** The version that has {@code first}, {@code last} and {@code unwrap}. */
  private static final int OPTIONAL_VERSION = 2;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .comprehensionMaxIterations(MAX_ITERATIONS)
          .maxExpressionCodePointSize(MAX_CODE_POINTS)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  private static final RuntimeEquality STANDARD =
      RuntimeEquality.create(RuntimeHelpers.create(), OPTIONS);

  /** The standard functions that have bodies of their own here. */
  private static final List<StandardFunction> REPLACED =
      List.of(
          StandardFunction.EQUALS,
          StandardFunction.NOT_EQUALS,
          StandardFunction.IN,
          StandardFunction.ADD,
          StandardFunction.STRING,
          StandardFunction.GET_MILLISECONDS,
          StandardFunction.CONTAINS,
          StandardFunction.MATCHES);

  private final Cel base;

  /** Makes the language once, when the first rule is compiled: that takes a while. */
  private static final class Holder {
    private static final RuleLanguage INSTANCE = new RuleLanguage();
  }

  private RuleLanguage() {
    Functions functions = new Functions();
    RuleEquality equality = new RuleEquality(STANDARD);
    operators(functions, equality);
    standardForms(functions);
    TextLibrary.addTo(functions);
    ListLibrary.addTo(functions, equality::areEqual);
    ListOperations.addTo(functions, equality::areEqual);
    UrlLibrary.addTo(functions);
    QuantityLibrary.addTo(functions);
    AddressLibrary.addTo(functions);
    FormatLibrary.addTo(functions);
    SemverLibrary.addTo(functions);
    base = builder(functions).build();
  }

  /** Returns a builder of environments for rules. */
  static CelBuilder environment() {
    return Holder.INSTANCE.base.toCelBuilder();
  }

  /**
   * Returns the program of a checked rule. All programs share one table of functions: one for each
   * rule would take 50 KB, and longer to make than the rule takes to compile.
   */
  static Program program(CelAbstractSyntaxTree rule) throws CelEvaluationException {
    return Holder.INSTANCE.base.createProgram(rule);
  }

  private static CelBuilder builder(Functions functions) {
    CelStringExtensions texts =
        CelExtensions.strings(
            CelStringExtensions.Function.CHAR_AT,
            CelStringExtensions.Function.LOWER_ASCII,
            CelStringExtensions.Function.QUOTE,
            CelStringExtensions.Function.SUBSTRING,
            CelStringExtensions.Function.TRIM,
            CelStringExtensions.Function.UPPER_ASCII);
    return CelFactory.plannerCelBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .setStandardFunctions(CelStandardFunctions.newBuilder().excludeFunctions(REPLACED).build())
        .addCompilerLibraries(
            CelExtensions.optional(OPTIONAL_VERSION),
            CelExtensions.comprehensions(),
            texts,
            functions)
        .addRuntimeLibraries(
            CelExtensions.optional(OPTIONAL_VERSION),
            CelExtensions.comprehensions(),
            texts,
            functions);
  }

  private static void operators(Functions functions, RuleEquality equality) {
    functions.bind(
        "_==_", CelFunctionBinding.from("equals", Object.class, Object.class, equality::areEqual));
    functions.bind(
        "_!=_",
        CelFunctionBinding.from(
            "not_equals", Object.class, Object.class, (a, b) -> !equality.areEqual(a, b)));
    functions.bind(
        "@in", CelFunctionBinding.from("in_list", Object.class, List.class, equality::isIn));
    functions.bind(
        "@in",
        CelFunctionBinding.from(
            "in_map",
            Object.class,
            Map.class,
            (key, map) -> STANDARD.findInMap(map, key).isPresent()));
    functions.bind(
        "_+_", CelFunctionBinding.from("add_list", List.class, List.class, ListUnion::of));
  }

  /** Adds the standard forms of functions that have more forms here. */
  private static void standardForms(Functions functions) {
    Stream.of(AddOverload.values())
        .filter(form -> form != AddOverload.ADD_LIST)
        .forEach(form -> functions.bind("_+_", form.newFunctionBinding(OPTIONS, STANDARD)));
    Stream.of(StringOverload.values())
        .filter(form -> form != StringOverload.DOUBLE_TO_STRING)
        .forEach(form -> functions.bind("string", form.newFunctionBinding(OPTIONS, STANDARD)));
    functions.bind(
        "string", CelFunctionBinding.from("double_to_string", Double.class, TextLibrary::shown));
    Stream.of(GetMillisecondsOverload.values())
        .filter(form -> form != GetMillisecondsOverload.DURATION_TO_MILLISECONDS)
        .forEach(
            form -> functions.bind("getMilliseconds", form.newFunctionBinding(OPTIONS, STANDARD)));
    functions.bind(
        "getMilliseconds",
        CelFunctionBinding.from("duration_to_milliseconds", Duration.class, Duration::toMillis));
  }
}
