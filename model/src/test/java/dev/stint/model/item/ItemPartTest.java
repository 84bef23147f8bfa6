package dev.stint.model.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class ItemPartTest {
  private static KubeObject map(String json) {
    return KubeObject.of(Json.parse(json.replace('\'', '"')));
  }

  @Test
  void linesAreFoundByTheirRow() {
    ItemPart part = ItemPart.read(map("{'data': {'lines-2': 'a\\n b \\n'}}"), 2).orElseThrow();
    assertThat(part.item(7, 1)).contains(new Item(7, " b ", null));
    assertThat(part.item(8, 2)).isEmpty();
    assertThat(ItemPart.read(map("{'data': {'lines-2': 'a'}}"), 1)).isEmpty();
  }

  @Test
  void recordsMayHoldLineFeedsAndAnyBytes() {
    // "a\nb" NUL, 0xE9 NUL; "a" US "b" NUL, 0xE9 NUL
    KubeObject map = map("{'binaryData': {'lines-0.0': 'YQpiAOkA', 'columns-0.0': 'YR9iAOkA'}}");
    ItemPart part = ItemPart.read(map, 0).orElseThrow();
    assertThat(part.item(0, 0)).contains(new Item(0, "a\nb", "a\u001Fb"));
    assertThat(part.item(1, 1)).contains(new Item(1, "\uDCE9", "\uDCE9"));
  }

  @Test
  void theIndexNamesThePartOfEachItem() {
    ListParts index = ListParts.read(map("{'data': {'starts': '0 10 11\\n'}}")).orElseThrow();
    assertThat(index.parts()).isEqualTo(3);
    assertThat(index.partOf(0)).isZero();
    assertThat(index.partOf(9)).isZero();
    assertThat(index.partOf(10)).isEqualTo(1);
    assertThat(index.partOf(500)).isEqualTo(2);
    assertThat(index.start(2)).isEqualTo(11);
    assertThat(ListParts.read(map("{'data': {'starts': 'x'}}"))).isEmpty();
    assertThat(ListParts.read(map("{}"))).isEmpty();
  }
}
