package dev.stint.apiextensions.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class CanonicalNumbersTest {
  private final FieldErrors faults = new FieldErrors();

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1e6, 1000000",
    "1.5e0, 1.5",
    "0.50, 0.5",
    "-0.0, 0",
    "-2.0, -2",
    "2147483648.0, 2147483648",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808, 9223372036854776000",
    "12345678901234567890, 12345678901234567000",
    "1e20, 100000000000000000000",
    "1e21, 1.0E21",
    "0.1000000000000000055511151231257827, 0.1",
    "1e-400, 0",
  })
  void numbersStayTheSameWhenTheyAreReadAgain(String written, String kept) {
    ObjectNode canonical = CanonicalNumbers.of(read("{\"n\":[" + written + "]}"), faults);
    byte[] stored = Json.bytes(canonical);
    assertThat(new String(stored, StandardCharsets.UTF_8)).isEqualTo("{\"n\":[" + kept + "]}");
    assertThat(Json.parse(stored)).isEqualTo(canonical);
    assertThat(CanonicalNumbers.of(canonical, faults)).isSameAs(canonical);
    assertThat(faults.list()).isEmpty();
  }

  @Test
  void theFirstNumberThatIsTooLargeIsReported() {
    String digits = "9".repeat(350);
    var _ = CanonicalNumbers.of(read("{\"a\":{\"b\":[1,1e400]},\"c\":" + digits + "}"), faults);
    assertThat(faults.list())
        .singleElement()
        .hasToString("a.b[1]: the number 1E+400 is out of range");
    FieldErrors more = new FieldErrors();
    var _ = CanonicalNumbers.of(read("{\"c\":-" + digits + "}"), more);
    assertThat(more.list()).hasSize(1);
  }

  @Test
  void nothingElseChanges() {
    ObjectNode object = read("{\"a\":[1,\"1.0\",true,null],\"b\":{\"c\":0.5},\"d\":1.0}");
    String before = object.toString();
    ObjectNode canonical = CanonicalNumbers.of(object, faults);
    assertThat(object).hasToString(before);
    assertThat(canonical.get("a")).isSameAs(object.get("a"));
    assertThat(canonical).hasToString("{\"a\":[1,\"1.0\",true,null],\"b\":{\"c\":0.5},\"d\":1}");
  }

  private static ObjectNode read(String text) {
    return Documents.readAny(text.getBytes(StandardCharsets.UTF_8), false).tree();
  }
}
