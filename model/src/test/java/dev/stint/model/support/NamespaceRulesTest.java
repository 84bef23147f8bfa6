package dev.stint.model.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.podsecurity.PodSecurityLabels;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceRulesTest {
  private static final String LABEL = "metadata.labels[pod-security.kubernetes.io/";

  @ParameterizedTest
  @CsvSource({"kubernetes, 0", "x.io/y, 0", "x, 1", "a b, 2", "A/b, 1", "'', 2"})
  void aFinalizerHasADomain(String finalizer, int faults) {
    var list = Json.object();
    list.putArray("finalizers").add(finalizer);
    FieldErrors found = new FieldErrors();
    NamespaceRules.finalizers(FieldPath.root(list).get("finalizers"), found);
    assertThat(found.list()).hasSize(faults).allMatch(fault -> fault.path().equals("finalizers"));
  }

  @ParameterizedTest
  @CsvSource({
    "enforce, restricted, true",
    "audit, '', false",
    "warn, nope, false",
    "enforce-version, latest, true",
    "audit-version, v1.36, true",
    "warn-version, v1.036, false",
    "warn-version, 1.36, false",
    "other, nope, true"
  })
  void podSecurityHasLevelsAndVersions(String name, String value, boolean sound) {
    List<String> found = faults(null, namespace(name, value));
    assertThat(found).isEqualTo(sound ? List.of() : List.of(LABEL + name + "]"));
  }

  @Test
  void aWrongLabelMayStayAsItIs() {
    FieldPath wrong = namespace("enforce", "nope");
    assertThat(faults(wrong, wrong)).isEmpty();
    assertThat(faults(wrong, namespace("enforce", "none"))).containsExactly(LABEL + "enforce]");
  }

  private static List<String> faults(@Nullable FieldPath before, FieldPath after) {
    FieldErrors faults = new FieldErrors();
    PodSecurityLabels.check(before, after, faults);
    return faults.list().stream().map(FieldError::path).toList();
  }

  private static FieldPath namespace(String name, String value) {
    var namespace = Json.object();
    namespace
        .withObjectProperty("metadata")
        .withObjectProperty("labels")
        .put("pod-security.kubernetes.io/" + name, value);
    return FieldPath.root(namespace);
  }
}
