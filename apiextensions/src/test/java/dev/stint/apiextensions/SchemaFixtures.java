package dev.stint.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.SchemaReader;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Schemas and objects for tests, written as YAML. */
public final class SchemaFixtures {
  private SchemaFixtures() {}

  public static ObjectNode tree(String yaml) {
    return Documents.readPlain("test", yaml.getBytes(StandardCharsets.UTF_8)).tree();
  }

  public static JsonSchema schema(String yaml) {
    FieldErrors faults = new FieldErrors();
    JsonSchema schema = new SchemaReader(faults).read(tree(yaml), "schema");
    assertThat(faults.list()).isEmpty();
    return schema;
  }

  /** Returns faults as Kubernetes prints them. */
  public static List<String> messages(List<FieldError> faults) {
    return faults.stream().map(fault -> fault.path() + ": " + fault.message()).toList();
  }
}
