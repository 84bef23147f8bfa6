package dev.stint.model.item;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ItemTest {
  private static String fill(String line, String word) {
    return new Item(6, line, null).fill(word);
  }

  @ParameterizedTest
  @CsvSource({
    "dir/a.tar.gz, {}, dir/a.tar.gz",
    "dir/a.tar.gz, {.}, dir/a.tar",
    "dir/a.tar.gz, {/}, a.tar.gz",
    "dir/a.tar.gz, {//}, dir",
    "dir/a.tar.gz, {/.}, a.tar",
    "dir.d/a, {.}, dir.d/a",
    "a, {//}, .",
    "/a, {//}, /",
    "a.b, {#}, 7",
    "a.b, {.}-{}-{#}, a-a.b-7",
    "a.b, {1}{x}{}}, {1}{x}a.b}",
    "a.b, {2.}, {2.}",
  })
  void placeholdersAreThoseOfGnuParallel(String line, String word, String filled) {
    assertThat(fill(line, word)).isEqualTo(filled);
  }

  @Test
  void aLineIsNeverReadAsAPlaceholder() {
    assertThat(fill("{#}$1\\", "<{}{}>")).isEqualTo("<{#}$1\\{#}$1\\>");
  }

  @Test
  void columnsHaveNumbers() {
    Item item = new Item(0, "x/a.c,,b", "x/a.c\u001F\u001Fb");
    assertThat(item.fill("{3}-{1/.}-{2}-{4}-{}")).isEqualTo("b-a---x/a.c,,b");
    assertThat(item.fill("{0}{12345}")).isEqualTo("{0}{12345}");
  }
}
