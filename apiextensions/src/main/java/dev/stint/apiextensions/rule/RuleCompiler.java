package dev.stint.apiextensions.rule;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.ValidationRule;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compiles the rules of a schema, and reports those that are none. */
public final class RuleCompiler {
  private static final String OLD = "oldSelf";

  private final RuleTypes types;
  private final FieldErrors faults;

  private RuleCompiler(RuleTypes types, FieldErrors faults) {
    this.types = types;
    this.faults = faults;
  }

  /** A node of the schema: its field, and the list that no earlier value can be found within. */
  private record Place(String path, @Nullable String uncorrelatable) {
    Place child(String step) {
      return new Place(path + "." + step, uncorrelatable);
    }

    Place item(JsonSchema list) {
      String items = path + ".items";
      boolean hasKeys = list.extensions().listType().equals("map");
      return new Place(items, hasKeys || uncorrelatable != null ? uncorrelatable : items);
    }
  }

  /**
   * Returns the compiled rules of a schema; null if there are none.
   *
   * @param path the field of the schema
   * @param faults collects what is wrong with the rules
   */
  public static @Nullable SchemaRules compile(JsonSchema root, String path, FieldErrors faults) {
    return new RuleCompiler(new RuleTypes(root), faults).node(root, new Place(path, null));
  }

  private @Nullable SchemaRules node(@Nullable JsonSchema schema, Place place) {
    if (schema == null) {
      return null;
    }
    Map<String, SchemaRules> members = new LinkedHashMap<>();
    schema
        .properties()
        .forEach((name, member) -> {
          SchemaRules rules = node(member, place.child("properties[" + name + "]"));
          if (rules != null) {
            members.put(name, rules);
          }
        });
    RuleType type = schema.validations().isEmpty() ? null : types.of(schema);
    SchemaRules rules =
        new SchemaRules(
            schema,
            type,
            rules(schema, type, place),
            members,
            node(schema.additionalSchema(), place.child("additionalProperties")),
            node(schema.items(), place.item(schema)));
    return rules.isEmpty() ? null : rules;
  }

  private List<CompiledRule> rules(JsonSchema schema, @Nullable RuleType type, Place place) {
    List<CompiledRule> compiled = new ArrayList<>();
    for (int i = 0; i < schema.validations().size(); i++) {
      Place at = place.child("x-kubernetes-validations[" + i + "]");
      ValidationRule rule = schema.validations().get(i);
      CompiledRule found = type == null ? untyped(rule, at) : rule(rule, type.celType(), at);
      if (found != null) {
        compiled.add(found);
      }
    }
    return List.copyOf(compiled);
  }

  private @Nullable CompiledRule untyped(ValidationRule rule, Place at) {
    report(at, "rule", rule, "rules must not be on a node whose type is not known");
    return null;
  }

  private @Nullable CompiledRule rule(ValidationRule rule, CelType self, Place at) {
    boolean optional = Boolean.TRUE.equals(rule.optionalOldSelf());
    CelBuilder builder = RuleLanguage.environment().setTypeProvider(types).addVar("self", self);
    Cel cel = builder.addVar(OLD, optional ? OptionalType.create(self) : self).build();
    CelAbstractSyntaxTree condition =
        checked(cel, rule.rule(), SimpleType.BOOL, "rule", "compilation failed: ", rule, at);
    if (condition == null) {
      return null;
    }
    boolean isTransition = usesOld(condition);
    transition(rule, isTransition, at);
    Program message = rule.messageExpression() == null ? null : message(cel, rule, at);
    Program program = program(condition);
    return program == null ? null : new CompiledRule(rule, program, message, isTransition);
  }

  private @Nullable Program message(Cel cel, ValidationRule rule, Place at) {
    String text = rule.messageExpression();
    CelAbstractSyntaxTree checked =
        text == null
            ? null
            : checked(
                cel,
                text,
                SimpleType.STRING,
                "messageExpression",
                "messageExpression compilation failed: ",
                rule,
                at);
    return checked == null ? null : program(checked);
  }

  private @Nullable CelAbstractSyntaxTree checked(
      Cel cel,
      String text,
      CelType wanted,
      String member,
      String intro,
      ValidationRule rule,
      Place at) {
    CelValidationResult result = cel.compile(text);
    if (result.hasError()) {
      report(at, member, rule, intro + result.getErrorString());
      return null;
    }
    try {
      CelAbstractSyntaxTree tree = result.getAst();
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
      report(at, member, rule, intro + e.getMessage());
    }
    return null;
  }

  private static @Nullable Program program(CelAbstractSyntaxTree tree) {
    try {
      return RuleLanguage.program(tree);
    } catch (CelEvaluationException e) {
      throw new IllegalStateException("a checked rule cannot be planned", e);
    }
  }

  private static boolean usesOld(CelAbstractSyntaxTree tree) {
    return tree.getReferenceMap().values().stream()
        .anyMatch(reference -> reference.name().equals(OLD));
  }

  private void transition(ValidationRule rule, boolean isTransition, Place at) {
    if (isTransition && at.uncorrelatable() != null) {
      report(
          at,
          "rule",
          rule,
          "oldSelf cannot be used on the uncorrelatable portion of the schema within "
              + at.uncorrelatable());
    }
    if (!isTransition && rule.optionalOldSelf() != null) {
      faults.addAll(
          List.of(
              new FieldError(
                  at.path() + ".optionalOldSelf",
                  FieldError.Type.INVALID,
                  "may not be set if oldSelf is not used in rule",
                  Json.nodes().booleanNode(rule.optionalOldSelf()))));
    }
  }

  private void report(Place at, String member, ValidationRule rule, String detail) {
    faults.addAll(
        List.of(
            new FieldError(
                at.path() + "." + member, FieldError.Type.INVALID, detail, shown(rule))));
  }

  private static JsonNode shown(ValidationRule rule) {
    ObjectNode shown = Json.object().put("rule", rule.rule());
    if (rule.message() != null) {
      shown.put("message", rule.message());
    }
    if (rule.messageExpression() != null) {
      shown.put("messageExpression", rule.messageExpression());
    }
    return shown;
  }
}
