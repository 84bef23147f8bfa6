package dev.stint.cli.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ItemCommandTest {
  private static ItemCommand plain(String... words) {
    return ItemCommand.of(List.of(words), List.of(), false);
  }

  @Test
  void aCommandWithoutThePlaceholderGetsTheLineAtItsEnd() {
    assertThat(plain("gzip", "-9").words()).containsExactly("gzip", "-9", "{}");
    assertThat(plain("gzip", "{1}").words()).containsExactly("gzip", "{1}", "{}");
    assertThat(plain("gzip", "{/.}").words()).containsExactly("gzip", "{/.}");
    assertThat(plain("sh", "-c", "echo $STINT_ITEM").words()).hasSize(3);
    assertThat(ItemCommand.of(List.of("cp", "{1}"), List.of(), true).words()).hasSize(2);
  }

  @Test
  void namesOfColumnsBecomeNumbers() {
    ItemCommand command =
        ItemCommand.of(
            List.of("cp", "{from}/{to.}", "{2}${x}{#}{}{/}"), List.of("to", "from"), true);
    assertThat(command.words()).containsExactly("cp", "{2}/{1.}", "{2}${x}{#}{}{/}");
    assertThat(command.warnings()).isEmpty();
    assertThat(ItemCommand.of(List.of("cp", "{form}"), List.of("to", "from"), true).warnings())
        .containsExactly("{form} stays as it is: the list has the columns to, from");
  }

  @Test
  void aNameOfSeveralColumnsIsRefused() {
    List<String> names = List.of("file", "value", "value");
    assertThatThrownBy(() -> ItemCommand.of(List.of("cp", "{file}", "a-{value/.}"), names, true))
        .hasMessage(
            "--csv: several columns have the name of {value/.}; write a number, such as {2/.} or"
                + " {3/.}");
    assertThat(ItemCommand.of(List.of("cp", "{file}", "{3}"), names, true).words())
        .containsExactly("cp", "{1}", "{3}");
  }

  @Test
  void aPlaceholderInShellCodeIsWarnedAbout() {
    assertThat(plain("/bin/bash", "-ec", "gzip {}").warnings())
        .singleElement()
        .asString()
        .contains(
            "/bin/bash -c becomes shell code", "\"$STINT_ITEM\"", "sh -c 'gzip -- \"$1\"' sh {}");
    assertThat(plain("sh", "-c", "gzip \"$1\"", "sh", "{}").warnings()).isEmpty();
    assertThat(plain("echo", "-c", "{}").warnings()).isEmpty();
  }

  @Test
  void aShellBehindAnotherCommandReadsCodeToo() {
    assertThat(plain("timeout", "9", "sh", "-c", "gzip {}").warnings())
        .singleElement()
        .asString()
        .startsWith("a placeholder inside the text of sh -c becomes shell code");
    assertThat(plain("timeout", "9", "sh", "-c", "gzip \"$1\"", "sh", "{}").warnings()).isEmpty();
  }

  @Test
  void aColumnOfAListWithoutColumnsIsWarnedAbout() {
    assertThat(plain("echo", "{1}").warnings())
        .containsExactly(
            "{1} stays as it is, and the line is the last argument: the list has no columns;"
                + " add --colsep or --csv, or write {} for the line");
    assertThat(plain("grep", "a{2}", "{}").warnings()).isEmpty();
  }

  @Test
  void eachItemHasTheColumnsThatTheCommandNames() {
    ItemList list =
        ItemList.read("from,to\na,b\n\nc\n".getBytes(StandardCharsets.UTF_8), new ListFormat.Csv());
    assertThatThrownBy(() -> ItemCommand.of(List.of("rm", "data/{to}"), list))
        .hasMessage("--each: line 4 has 1 of the 2 columns that the command names: c");
    assertThat(ItemCommand.of(List.of("echo", "{from}"), list).words()).hasSize(2);
  }
}
