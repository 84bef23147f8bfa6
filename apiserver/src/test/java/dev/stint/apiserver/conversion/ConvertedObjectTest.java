package dev.stint.apiserver.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ConvertedObjectTest {
  private static final String NEW = "example.com/v2";

  @Test
  void wholeFloatsAreIntegers() throws ConversionException {
    assertThat(ConvertedObject.checked(object(""), object(", 'n': [2.0, 0.5]"), NEW, "").get("n"))
        .hasToString("[2,0.5]");
  }

  @Test
  void aNumberThatIsTooLargeIsRefused() {
    assertThatThrownBy(
            () -> ConvertedObject.checked(object(""), object(", 'n': {'m': 1e400}"), NEW, ""))
        .isInstanceOf(ConversionException.class)
        .hasMessageStartingWith("returned invalid object: n.m: the number ")
        .hasMessageEndingWith(" is out of range");
  }

  private static ObjectNode object(String more) {
    return Json.parse(
        "{'apiVersion': '%s', 'kind': 'E', 'metadata': {'name': 'a', 'uid': 'u'}%s}"
            .formatted(NEW, more)
            .replace('\'', '"'));
  }
}
