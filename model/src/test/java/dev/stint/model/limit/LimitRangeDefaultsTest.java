package dev.stint.model.limit;

import static dev.stint.model.limit.LimitTexts.range;
import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** An item for containers that says one amount says others too. */
class LimitRangeDefaultsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'type':'Container' | ",
        "'type':'Container','max':{'cpu':'1'} | ,'default':{'cpu':'1'},'defaultRequest':{'cpu':'1'}",
        "'type':'Container','default':{'cpu':'1'} | ,'defaultRequest':{'cpu':'1'}",
        "'type':'Container','min':{'cpu':'1'} | ,'defaultRequest':{'cpu':'1'}",
        "'type':'Container','min':{'cpu':'1'},'max':{'cpu':'2'}"
            + " | ,'default':{'cpu':'2'},'defaultRequest':{'cpu':'2'}",
        "'type':'Container','min':{'cpu':'1'},'default':{'memory':'2'}"
            + " | ,'defaultRequest':{'memory':'2','cpu':'1'}",
        "'type':'Pod','max':{'cpu':'1'} |",
        "'type':'PersistentVolumeClaim','max':{'storage':'1'} |",
      })
  void amounts(String item, @Nullable String added) {
    ObjectNode limitRange = range("{" + item + "}");
    LimitRangeDefaults.apply(limitRange);
    assertThat(limitRange).isEqualTo(range("{" + item + (added == null ? "" : added) + "}"));
  }
}
