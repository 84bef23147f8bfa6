package dev.stint.cli.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.item.ItemText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ItemListTest {
  private static final ListFormat NULS = new ListFormat.Delimited((byte) 0, null);
  private static final ListFormat CSV = new ListFormat.Csv();

  private static ItemList read(String text, ListFormat format) {
    return ItemList.read(text.getBytes(StandardCharsets.UTF_8), format);
  }

  private static List<String> items(ItemList list) {
    return IntStream.range(0, list.size()).mapToObj(i -> ItemText.of(list.item(i))).toList();
  }

  private static List<String> columns(ItemList list, int index) {
    return List.of(ItemText.of(list.columns(index)).split("\u001F", -1));
  }

  @Test
  void blankLinesAndCarriageReturnsAreLeftOut() {
    assertThat(items(read("a\r\n\n  \n b \nc", ListFormat.lines())))
        .containsExactly("a", " b ", "c");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstLine() {
    assertThat(items(read("\uFEFFa\nb", ListFormat.lines()))).containsExactly("a", "b");
    assertThat(items(read("\uFEFFa\0b", NULS))).containsExactly("\uFEFFa", "b");
  }

  @Test
  void otherDelimitersKeepWhatIsBetweenThem() {
    ItemList nuls = read("a\n\r\0 \0\0b", NULS);
    assertThat(items(nuls)).containsExactly("a\n\r", " ", "b");
    assertThat(nuls.hasLineFeeds()).isTrue();
    assertThat(items(read("a:b", new ListFormat.Delimited((byte) ':', null))))
        .containsExactly("a", "b");
  }

  @Test
  void bytesThatAreNoUtf8AreKept() {
    byte[] latin = "caf\u00E9\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ItemList.read(latin, ListFormat.lines()).item(0)).hasSize(4).endsWith(0xE9);
  }

  @Test
  void aRegularExpressionSeparatesColumns() {
    ListFormat tabs = new ListFormat.Delimited((byte) '\n', Pattern.compile("\\s*;\\s*"));
    ItemList list = read("a ; b;;c\n", tabs);
    assertThat(columns(list, 0)).containsExactly("a", "b", "", "c");
    assertThat(items(list)).containsExactly("a ; b;;c");
  }

  @Test
  void commaSeparatedValuesHaveNamesAndQuotes() {
    ItemList list = read("\uFEFFname,note\r\nann,\"a \"\"b\"\",\nc\"\r\n\nbob,\n", CSV);
    assertThat(list.names()).containsExactly("name", "note");
    assertThat(columns(list, 0)).containsExactly("ann", "a \"b\",\nc");
    assertThat(columns(list, 1)).containsExactly("bob", "");
    assertThat(items(list)).containsExactly("ann,\"a \"\"b\"\",\nc\"", "bob,");
  }

  @Test
  void invalidListsAreRefused() {
    assertThatThrownBy(() -> read("\n \n", ListFormat.lines()))
        .hasMessage("--each: the list has no lines");
    assertThatThrownBy(() -> read("name,note\n", CSV)).hasMessage("--each: the list has no lines");
    assertThatThrownBy(() -> read("a\nb\0c\n", ListFormat.lines()))
        .hasMessage("--each: line 2 contains a NUL character; if NUL ends each item, add -0");
    assertThatThrownBy(() -> read("x".repeat(70_000), ListFormat.lines()))
        .hasMessageContaining("line 1 has 70000 bytes, more than 64Ki");
    assertThatThrownBy(() -> read("a,b\nc,\"d\n", CSV))
        .hasMessage("--csv: line 2: a quote of this record is not closed");
    assertThatThrownBy(() -> read("a\nb\u001Fc\n", CSV).columns(0)).hasMessageContaining("U+001F");
  }
}
