package dev.stint.apiextensions.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiextensions.definition.NameAcceptance.Conflict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameAcceptanceTest {
  private static final DefinitionNames OTHER =
      new DefinitionNames("others", "other", "Other", "OtherList", List.of("o", "oo"), List.of());

  private static DefinitionNames names(String plural, String singular, String kind, String list) {
    return new DefinitionNames(plural, singular, kind, list, List.of(), List.of("all"));
  }

  @Test
  void freeNamesAreAccepted() {
    DefinitionNames wanted = names("tabs", "tab", "Tab", "TabList");
    assertThat(NameAcceptance.of(wanted, DefinitionNames.NONE, List.of(OTHER)))
        .isEqualTo(new NameAcceptance(wanted, null));
  }

  @ParameterizedTest
  @CsvSource({
    "o, tab, Tab, TabList, PluralConflict, o",
    "tabs, others, Tab, TabList, SingularConflict, others",
    "tabs, tab, Other, TabList, KindConflict, Other",
    "tabs, tab, Tab, Other, ListKindConflict, Other"
  })
  void aNameThatAnotherDefinitionHasIsNotAccepted(
      String plural, String singular, String kind, String list, String reason, String name) {
    DefinitionNames wanted = names(plural, singular, kind, list);
    NameAcceptance found = NameAcceptance.of(wanted, DefinitionNames.NONE, List.of(OTHER));
    assertThat(found.conflict())
        .isEqualTo(new Conflict(reason, '"' + name + "\" is already in use"));
    DefinitionNames accepted = found.accepted();
    assertThat(
            List.of(accepted.plural(), accepted.singular(), accepted.kind(), accepted.listKind()))
        .containsOnlyOnce("")
        .doesNotContain(name);
  }

  @Test
  void allShortNamesThatAreTakenAreNamed() {
    DefinitionNames wanted =
        new DefinitionNames("tabs", "tab", "Tab", "TabList", List.of("t", "o", "oo"), List.of());
    NameAcceptance found = NameAcceptance.of(wanted, DefinitionNames.NONE, List.of(OTHER));
    assertThat(found.conflict())
        .isEqualTo(
            new Conflict(
                "ShortNamesConflict", "[\"o\" is already in use, \"oo\" is already in use]"));
    assertThat(found.accepted().shortNames()).isEmpty();
  }

  @Test
  void namesThatWereAcceptedBeforeStay() {
    DefinitionNames before =
        new DefinitionNames("others", "other", "Other", "OtherList", List.of("o"), List.of());
    assertThat(NameAcceptance.of(before, before, List.of(OTHER)).conflict()).isNull();
    DefinitionNames wanted = names("others", "other", "Other", "OtherList");
    assertThat(NameAcceptance.of(wanted, before, List.of()).accepted()).isEqualTo(wanted);
  }
}
