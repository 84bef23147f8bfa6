package dev.stint.cli.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.flag.ShareConverter;
import dev.stint.model.item.ItemSource;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ListJobTest {
  private static final ListJob.Settings PLAIN =
      new ListJob.Settings("all", 2, 4, null, null, "busybox", null, null);

  private static ListJob.Settings settings(
      @Nullable ShareConverter success, @Nullable ShareConverter maxFailed) {
    return new ListJob.Settings("all", 0, 1, success, maxFailed, "busybox", null, null);
  }

  private static ItemList numbers(int count) {
    return ItemList.of(IntStream.range(0, count).mapToObj(i -> "item " + i).toList());
  }

  @Test
  void theScriptRunsTheCommandForALine() {
    ListJob each = ListJob.of(numbers(2), List.of("echo", "$(HOME) $$ $x"), PLAIN);
    JsonNode container = each.job().at("/spec/template/spec/containers/0");
    assertThat(container.get("command").valueStream().map(JsonNode::asString))
        .containsExactly("/bin/sh", "/stint/items/each", "echo", "$$(HOME) $$$ $x", "{}");
    assertThat(ItemSource.ofSpec((ObjectNode) each.job().at("/spec/template/spec")))
        .hasValueSatisfying(list ->
            assertThat(each.lists())
                .singleElement()
                .satisfies(
                    map -> assertThat(map.at("/metadata/name").asString()).isEqualTo(list.map(0))));
  }

  @Test
  void aVolumeHoldsAListOfAFewPartsOnly() {
    assertThat(sources(ListJob.of(numbers(100_000), List.of("true"), PLAIN))).isEqualTo(2);
    ListJob large = ListJob.of(numbers(1_000_000), List.of("true"), PLAIN);
    assertThat(large.lists()).hasSizeGreaterThan(10);
    assertThat(sources(large)).isOne();
    assertThat(large.job().at("/spec/maxFailedIndexes").intValue()).isEqualTo(10_000);
  }

  private static int sources(ListJob each) {
    return each.job().at("/spec/template/spec/volumes/0/projected/sources").size();
  }

  @Test
  void sharesAreRoundedForTheUser() {
    JsonNode spec =
        ListJob.of(
                numbers(11),
                List.of("true"),
                settings(new ShareConverter(90, true), new ShareConverter(10, true)))
            .job()
            .get("spec");
    assertThat(spec.at("/successPolicy/rules/0/succeededCount").intValue()).isEqualTo(10);
    assertThat(spec.get("maxFailedIndexes").intValue()).isEqualTo(1);
    assertThat(spec.get("backoffLimitPerIndex").intValue()).isZero();
  }

  @Test
  void theNameIsDerivedFromTheCommandAndTheNameOfTheList() {
    assertThat(name(3, "/usr/bin/My_Tool", "a.txt"))
        .matches("each-my-tool-[0-9a-f]{8}")
        .isEqualTo(name(4, "/usr/bin/My_Tool", "a.txt"))
        .isNotEqualTo(name(3, "/usr/bin/My_Tool", "b.txt"))
        .isNotEqualTo(name(3, "/bin/My_Tool", "a.txt"));
  }

  @Test
  void aListWithoutANameIsKnownByItsLines() {
    assertThat(name(3, "echo", null))
        .isEqualTo(name(3, "echo", null))
        .isNotEqualTo(name(4, "echo", null));
  }

  private static String name(int lines, String program, @Nullable String source) {
    Path file = source == null ? null : Path.of("/", source);
    return name(
        ListJob.of(
            numbers(lines),
            List.of(program, "{}"),
            new ListJob.Settings(null, 0, 1, null, null, "busybox", null, file)));
  }

  private static String name(ListJob each) {
    return each.job().at("/metadata/name").stringValue();
  }

  @Test
  void moreSuccessesThanLinesAreRefused() {
    assertThatThrownBy(() ->
            ListJob.of(numbers(2), List.of("true"), settings(new ShareConverter(3, false), null)))
        .hasMessageContaining("--success 3 of 2 lines");
  }
}
