package dev.stint.apiextensions.rule;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.stint.apiextensions.rule.cost.CostEstimator;
import dev.stint.apiextensions.rule.cost.MeteredProgram;
import dev.stint.apiextensions.rule.cost.SaturatingMath;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.ValidationRule;
import dev.stint.apiextensions.value.Findings;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compiles the rules of a schema, and reports those that are none. */
public final class RuleCompiler {
  private static final String OLD = "oldSelf";

  /** The maximum number of nodes of a rule, which bounds the time of its check. */
  private static final int MOST_NODES = 10_000;

  private final RuleTypes types;
  private final RuleCosts costs;
  private final FieldErrors faults;
  private final boolean isKept;

  /** The detail of the last report, which need not be among the faults if there are many. */
  private String lastFault = "";

  /** The steps that the rules may still take for all defaults together. */
  private long budget = RuleValidation.MOST_OF_AN_OBJECT;

  private RuleCompiler(RuleTypes types, RuleCosts costs, FieldErrors faults, boolean isKept) {
    this.types = types;
    this.costs = costs;
    this.faults = isKept ? new FieldErrors() : faults;
    this.isKept = isKept;
  }

  /**
   * Returns the compiled rules of a schema; null if there are none.
   *
   * @param path the field of the schema
   * @param limits how much the rules may cost
   * @param faults collects what is wrong with the rules
   */
  public static @Nullable SchemaRules compile(
      JsonSchema root, String path, CostLimits limits, FieldErrors faults) {
    RuleCosts costs = new RuleCosts(limits, faults);
    RuleCompiler compiler = new RuleCompiler(new RuleTypes(root), costs, faults, limits.isKept());
    SchemaRules rules = compiler.node(root, RulePlace.root(path));
    costs.check(path);
    return rules;
  }

  private @Nullable SchemaRules node(@Nullable JsonSchema schema, RulePlace place) {
    if (schema == null) {
      return null;
    }
    Map<String, SchemaRules> members = new LinkedHashMap<>();
    schema
        .properties()
        .forEach((name, member) -> {
          SchemaRules rules = node(member, place.member(schema, name));
          if (rules != null) {
            members.put(name, rules);
          }
        });
    SchemaRules additional = node(schema.additionalSchema(), place.value(schema));
    SchemaRules items = node(schema.items(), place.item(schema));
    RuleType type = schema.validations().isEmpty() ? null : types.of(schema);
    List<BrokenRule> broken = new ArrayList<>();
    List<CompiledRule> compiled = rules(schema, type, place, broken);
    SchemaRules rules =
        new SchemaRules(schema, type, compiled, List.copyOf(broken), members, additional, items);
    if (rules.isEmpty()) {
      return null;
    }
    checkDefault(rules, place);
    return rules;
  }

  /** Reports a default that the rules refuse, unless the schema is stored with it. */
  private void checkDefault(SchemaRules rules, RulePlace place) {
    JsonNode value = rules.schema().defaultValue();
    if (value == null || isKept) {
      return;
    }
    RuleValidation.DefaultVerdict verdict = RuleValidation.ofDefault(value, rules, budget);
    budget = verdict.budget();
    String path = place.path() + ".default";
    verdict.faults().forEach(fault -> faults.add(Findings.below(path, fault)));
  }

  private List<CompiledRule> rules(
      JsonSchema schema, @Nullable RuleType type, RulePlace place, List<BrokenRule> broken) {
    List<CompiledRule> compiled = new ArrayList<>();
    for (int i = 0; i < schema.validations().size(); i++) {
      RulePlace at = place.rule(i);
      ValidationRule rule = schema.validations().get(i);
      CompiledRule found = type == null ? untyped(rule, at) : rule(rule, type, at);
      if (found != null) {
        compiled.add(found);
      } else if (isKept) {
        broken.add(new BrokenRule(rule, lastFault));
      }
    }
    return List.copyOf(compiled);
  }

  private @Nullable CompiledRule untyped(ValidationRule rule, RulePlace at) {
    report(at, "rule", rule, "rules must not be on a node whose type is not known");
    return null;
  }

  private @Nullable CompiledRule rule(ValidationRule rule, RuleType type, RulePlace at) {
    CelType self = type.celType();
    boolean optional = Boolean.TRUE.equals(rule.optionalOldSelf());
    CelBuilder builder = RuleLanguage.environment().setTypeProvider(types).addVar("self", self);
    Cel cel = builder.addVar(OLD, optional ? OptionalType.create(self) : self).build();
    CelAbstractSyntaxTree condition =
        checked(cel, rule.rule(), SimpleType.BOOL, "rule", "compilation failed: ", rule, at);
    if (condition == null) {
      return null;
    }
    long cost = CostEstimator.estimate(condition, type);
    costs.add(at.path() + ".rule", "rule", SaturatingMath.times(cost, at.copies(type)));
    boolean isTransition = usesOld(condition);
    MeteredProgram message = message(cel, rule, type, at);
    transition(rule, isTransition, at);
    MeteredProgram program = program(condition, "rule", rule, at);
    return program == null ? null : new CompiledRule(rule, program, message, isTransition);
  }

  private @Nullable MeteredProgram message(
      Cel cel, ValidationRule rule, RuleType type, RulePlace at) {
    String text = orEmpty(rule.messageExpression());
    CelAbstractSyntaxTree checked =
        text.isEmpty()
            ? null
            : checked(
                cel,
                text,
                SimpleType.STRING,
                "messageExpression",
                "messageExpression compilation failed: ",
                rule,
                at);
    if (checked == null) {
      return null;
    }
    costs.add(
        at.path() + ".messageExpression",
        "messageExpression",
        CostEstimator.estimate(checked, type));
    return program(checked, "messageExpression", rule, at);
  }

  private @Nullable CelAbstractSyntaxTree checked(
      Cel cel,
      String text,
      CelType wanted,
      String member,
      String intro,
      ValidationRule rule,
      RulePlace at) {
    try {
      CelAbstractSyntaxTree parsed = cel.parse(text).getAst();
      if (CelNavigableAst.fromAst(parsed).getRoot().allNodes().count() > MOST_NODES) {
        report(at, member, rule, intro + "must have at most " + MOST_NODES + " nodes");
        return null;
      }
      CelAbstractSyntaxTree tree = cel.check(parsed).getAst();
      String fault = isKept ? null : LiteralRules.fault(tree);
      if (fault != null) {
        report(at, member, rule, member.equals("rule") ? fault : member + " " + fault);
        return null;
      }
      if (tree.getResultType().equals(wanted)) {
        return tree;
      }
      boolean isRule = member.equals("rule");
      report(
          at,
          member,
          rule,
          isRule
              ? intro + "cel expression must evaluate to a bool"
              : "messageExpression must evaluate to a string");
    } catch (CelValidationException e) {
      report(at, member, rule, intro + RuleIssues.shown(e.getErrors(), e.getSource()));
    }
    return null;
  }

  private @Nullable MeteredProgram program(
      CelAbstractSyntaxTree tree, String member, ValidationRule rule, RulePlace at) {
    try {
      return MeteredProgram.of(RuleLanguage.program(tree), tree);
    } catch (CelEvaluationException e) {
      report(at, member, rule, "program instantiation failed: " + e.getMessage());
      return null;
    }
  }

  private static boolean usesOld(CelAbstractSyntaxTree tree) {
    return tree.getReferenceMap().values().stream()
        .anyMatch(reference -> reference.name().equals(OLD));
  }

  private void transition(ValidationRule rule, boolean isTransition, RulePlace at) {
    if (isTransition && at.uncorrelatable() != null) {
      report(
          at,
          "rule",
          Json.text(rule.rule()),
          "oldSelf cannot be used on the uncorrelatable portion of the schema within "
              + at.uncorrelatable());
    }
    if (!isTransition && rule.optionalOldSelf() != null) {
      report(
          at,
          "optionalOldSelf",
          Json.nodes().booleanNode(rule.optionalOldSelf()),
          "may not be set if oldSelf is not used in rule");
    }
  }

  private void report(RulePlace at, String member, ValidationRule rule, String detail) {
    report(at, member, shown(rule), detail);
  }

  private void report(RulePlace at, String member, JsonNode value, String detail) {
    lastFault = detail;
    faults.addAll(
        List.of(new FieldError(at.path() + "." + member, FieldError.Type.INVALID, detail, value)));
  }

  /** Returns a rule as Kubernetes shows it in a fault. */
  private static JsonNode shown(ValidationRule rule) {
    return Json.object()
        .put("Rule", rule.rule())
        .put("Message", orEmpty(rule.message()))
        .put("MessageExpression", orEmpty(rule.messageExpression()))
        .put("Reason", rule.reason())
        .put("FieldPath", orEmpty(rule.fieldPath()))
        .put("OptionalOldSelf", rule.optionalOldSelf());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
