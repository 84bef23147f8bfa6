package dev.stint.apiextensions.value;

import static dev.stint.apiextensions.SchemaFixtures.messages;
import static dev.stint.apiextensions.SchemaFixtures.schema;
import static dev.stint.apiextensions.SchemaFixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumberRulesTest {
  @Test
  void boundsMayBeExclusive() {
    assertThat(faults("{type: integer, minimum: 1, exclusiveMinimum: true}", "1"))
        .containsExactly("x: Invalid value: 1: x in body should be greater than 1");
    assertThat(faults("{type: number, maximum: 2.5}", "2.6"))
        .containsExactly("x: Invalid value: 2.6: x in body should be less than or equal to 2.5");
    assertThat(faults("{type: number, maximum: 2.5}", "2.5")).isEmpty();
  }

  @Test
  void largeNumbersAreComparedExactly() {
    assertThat(faults("{type: integer, maximum: 9007199254740992}", "9007199254740993")).hasSize(1);
  }

  @Test
  void multiplesMayBeFractions() {
    assertThat(faults("{type: number, multipleOf: 0.1}", "0.3")).isEmpty();
    assertThat(faults("{type: integer, multipleOf: 4}", "6"))
        .containsExactly("x: Invalid value: 6: x in body should be a multiple of 4");
  }

  @Test
  void aFormatLimitsTheRange() {
    assertThat(faults("{type: integer, format: int32}", "2147483647")).isEmpty();
    assertThat(faults("{type: integer, format: int32}", "2147483648")).hasSize(1);
    assertThat(faults("{type: integer, format: int64}", "9223372036854775808")).hasSize(1);
  }

  @Test
  void numbersAreWrittenAsGoDoes() {
    assertThat(Values.number(new java.math.BigDecimal("1e21"))).isEqualTo("1e+21");
    assertThat(Values.number(new java.math.BigDecimal("0.00001"))).isEqualTo("1e-05");
    assertThat(Values.number(new java.math.BigDecimal("-100.50"))).isEqualTo("-100.5");
  }

  private static List<String> faults(String ofX, String x) {
    return messages(
        SchemaValidation.create(
            tree("x: " + x), schema("{type: object, properties: {x: " + ofX + "}}")));
  }
}
