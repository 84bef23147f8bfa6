package dev.stint.apiserver.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {
  private static final Map<String, String> LABELS =
      Map.of("team", "red", "example.com/tier", "front", "size", "12", "blank", "", "in", "notin");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | true",
        "\"  \" | true",
        "team=red | true",
        "team==red | true",
        "team = red | true",
        "team=blue | false",
        "other=red | false",
        "team!=red | false",
        "team!=blue | true",
        "other!=red | true",
        "team in (red,blue) | true",
        "team in ( blue , red ) | true",
        "team in (blue) | false",
        "other in (red) | false",
        "team notin (red) | false",
        "team notin (blue) | true",
        "other notin (red) | true",
        "team | true",
        "other | false",
        "!team | false",
        "!other | true",
        "! other | true",
        "size>11 | true",
        "size > 12 | false",
        "size<13 | true",
        "size < 12 | false",
        "team>1 | false",
        "other<1 | false",
        "blank= | true",
        "team= | false",
        "blank!= | false",
        "team=,size | false",
        "blank in () | true",
        "blank in (,x) | true",
        "in=notin | true",
        "in in (notin) | true",
        "example.com/tier=front,team=red | true",
        "example.com/tier=front,team=blue | false",
        "team=red,other | false",
        "team,!other,size in (11,12),size>1 | true",
      })
  void takesWhatEveryTermHoldsFor(String selector, boolean matches) {
    assertThat(LabelSelector.parse(selector).test(LABELS)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a===b,,",
        "a=b,",
        ",a",
        "a=b,,c",
        "a=b c",
        "!",
        "!a=b",
        "=b",
        "a in",
        "a in b",
        "a in (b",
        "a in (b c)",
        "a is b",
        "a>b",
        "a>",
        "a=b!",
        "a/b/c=d",
        "_a=b",
        "a=_b",
        "a=(b)",
        "a in (b))"
      })
  void refusesABrokenOneAsABadRequest(String selector) {
    assertThatThrownBy(() -> LabelSelector.parse(selector))
        .isInstanceOfSatisfying(
            ClusterException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessageStartingWith("unable to parse label selector \"" + selector + "\": ");
  }

  @Test
  void saysWhereItBroke() {
    assertThatThrownBy(() -> LabelSelector.parse("team=red,tier is front"))
        .hasMessageContaining("after tier");
    assertThatThrownBy(() -> LabelSelector.parse("team in (red"))
        .hasMessageContaining("found the end, expected ',' or ')'");
  }

  @Test
  void knowsWhetherItTakesEverything() {
    assertThat(LabelSelector.parse(" ").isEverything()).isTrue();
    assertThat(LabelSelector.parse("a").isEverything()).isFalse();
  }
}
