package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Changes to the place of a gated pod; a row without a fault is accepted. */
class GatedPodRulesTest {
  private static final String TERMS =
      "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a': 'b'} | {'a': 'b', 'c': 'd'} |",
        "{'a': 'b'} | {'a': 'c'} | nodeSelector Invalid",
        "{'a': 'b'} | {} | nodeSelector Invalid"
      })
  void nodeSelectors(String before, String after, @Nullable String fault) {
    check("{'nodeSelector': " + before + "}", "{'nodeSelector': " + after + "}", fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | [{'matchExpressions': [1]}] |",
        "[{'matchExpressions': [1]}] | [{'matchExpressions': [1]}] |",
        "[{'matchExpressions': [1]}] | [{'matchExpressions': [1, 2], 'matchFields': [3]}] |",
        "[{'matchExpressions': [1, 2]}] | [{'matchExpressions': [2, 1]}] | [0] Invalid",
        "[{'matchExpressions': [1, 2]}] | [{'matchExpressions': [1]}] | [0] Invalid",
        "[{'matchFields': [1]}] | [{'matchExpressions': [1]}] | [0] Invalid",
        "[{}] | [{'matchExpressions': [1]}] | [0] Invalid",
        "[{'matchExpressions': [1]}] | [{'matchExpressions': [1]}, {}] | Invalid",
        "[{'matchExpressions': [1]}] | [] | Invalid"
      })
  void termsOfTheNodeAffinity(String before, String after, @Nullable String fault) {
    boolean indexed = fault != null && fault.startsWith("[");
    check(terms(before), terms(after), fault == null ? null : TERMS + (indexed ? "" : " ") + fault);
  }

  private static String terms(String terms) {
    return "{'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution':"
        + " {'nodeSelectorTerms': "
        + terms
        + "}}}}";
  }

  private static void check(String before, String after, @Nullable String fault) {
    FieldErrors faults = new FieldErrors();
    GatedPodRules.check(FieldPath.root(tree(before)), FieldPath.root(tree(after)), faults);
    assertThat(faults.list())
        .extracting(f -> f.path() + " " + f.type().cause().replace("FieldValue", ""))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  private static ObjectNode tree(String json) {
    return Json.parse(json.replace('\'', '"'));
  }
}
