package dev.stint.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ManagedFieldsRulesTest {
  private static final String ENTRY =
      "{'manager': '%s', 'operation': '%s', 'apiVersion': '%s', 'fieldsType': 'FieldsV1',"
          + " 'fieldsV1': {'f:data': {}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m | Update | v1 |",
        "m\\n | Update | v1 | metadata.managedFields[0].manager FieldValueInvalid",
        "m\\n | Update | batch/v1 |",
        "m\\n | Nope | v1 |"
      })
  void managersOfEntriesThatAreStored(
      String manager, String operation, String version, @Nullable String fault) {
    assertThat(faults(null, document(ENTRY.formatted(manager, operation, version))))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  void namesOfManagersAreShort() {
    String entry = ENTRY.formatted("m".repeat(129), "Update", "v1");
    assertThat(faults(null, document(ENTRY.formatted("a", "Apply", "v1") + ", " + entry)))
        .containsExactly("metadata.managedFields[1].manager FieldValueTooLong");
  }

  @Test
  void lengthsAreCountedInBytes() {
    assertThat(faults(null, document(ENTRY.formatted("é".repeat(64), "Update", "v1")))).isEmpty();
    assertThat(faults(null, document(ENTRY.formatted("é".repeat(65), "Update", "v1"))))
        .containsExactly("metadata.managedFields[0].manager FieldValueTooLong");
  }

  @Test
  void entriesThatARequestLeavesAloneAreNotChecked() {
    ObjectNode stored = document(ENTRY.formatted("m\\n", "Update", "v1"));
    assertThat(faults(stored, stored)).isEmpty();
  }

  private static List<String> faults(@Nullable ObjectNode before, ObjectNode wanted) {
    return ManagedFieldsRules.check(before, wanted, "v1", DocumentShape.BUILT_IN).stream()
        .map(fault -> fault.path() + " " + fault.type().cause())
        .toList();
  }

  private static ObjectNode document(String entries) {
    return Json.parse(("{'metadata': {'managedFields': [" + entries + "]}}").replace('\'', '"'));
  }
}
