package dev.stint.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.flag.ShareConverter;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EachJobTest {
  private static final EachJob.Settings PLAIN =
      new EachJob.Settings("all", 2, 4, null, null, "busybox", null);

  private static EachJob.Settings settings(
      @Nullable ShareConverter success, @Nullable ShareConverter maxFailed) {
    return new EachJob.Settings("all", 0, 1, success, maxFailed, "busybox", null);
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "item " + i).toList();
  }

  @Test
  void bracesInAWordAreReplacedByTheItem() {
    assertThat(EachJob.script(List.of("echo", "{}", "a b{}c", "it's", "")))
        .endsWith("exec echo \"$STINT_ITEM\" 'a b'\"$STINT_ITEM\"c 'it'\\''s' ''\n");
  }

  @Test
  void variableReferencesOfKubernetesAreEscaped() {
    assertThat(EachJob.script(List.of("echo", "$(HOME) $$ $x")))
        .endsWith("exec echo '$$(HOME) $$$ $x'\n");
  }

  @Test
  void listsAreSplitIntoKeysOfAThousandLines() {
    EachJob each = EachJob.of(numbers(2500), List.of("true"), PLAIN);
    assertThat(each.lists()).hasSize(1);
    JsonNode data = each.lists().getFirst().get("data");
    assertThat(data.propertyNames()).containsExactly("lines-0", "lines-1", "lines-2");
    assertThat(data.get("lines-2").stringValue()).startsWith("item 2000\n").endsWith("item 2499\n");
    assertThat(each.job().at("/spec/completions").intValue()).isEqualTo(2500);
  }

  @Test
  void aHundredThousandLinesAreAFewConfigMaps() {
    EachJob each = EachJob.of(numbers(100_000), List.of("true"), PLAIN);
    assertThat(each.lists()).hasSizeBetween(2, 3);
    assertThat(each.lists()).allMatch(list -> Json.bytes(list).length < 1 << 20);
    assertThat(each.job().at("/spec/template/spec/volumes/0/projected/sources"))
        .hasSize(each.lists().size());
  }

  @Test
  void sharesAreRoundedForTheUser() {
    JsonNode spec =
        EachJob.of(
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
  void theNameIsDerivedFromCommandAndList() {
    EachJob.Settings unnamed = new EachJob.Settings(null, 0, 1, null, null, "busybox", null);
    String one = name(EachJob.of(numbers(3), List.of("/usr/bin/My_Tool", "{}"), unnamed));
    String other = name(EachJob.of(numbers(4), List.of("/usr/bin/My_Tool", "{}"), unnamed));
    assertThat(one).matches("each-my-tool-[0-9a-f]{8}").isNotEqualTo(other);
    assertThat(one)
        .isEqualTo(name(EachJob.of(numbers(3), List.of("/usr/bin/My_Tool", "{}"), unnamed)));
  }

  private static String name(EachJob each) {
    return each.job().at("/metadata/name").stringValue();
  }

  @Test
  void invalidListsAreRefused() {
    assertThatThrownBy(() -> EachJob.of(List.of(), List.of("true"), PLAIN))
        .hasMessage("--each: the list has no lines");
    assertThatThrownBy(() -> EachJob.of(List.of("x".repeat(70_000)), List.of("true"), PLAIN))
        .hasMessageContaining("more than 64Ki");
    List<String> large = new ArrayList<>(numbers(3));
    IntStream.range(0, 1000).forEach(_ -> large.add("y".repeat(9000)));
    assertThatThrownBy(() -> EachJob.of(large, List.of("true"), PLAIN))
        .hasMessageContaining("more than 8Mi");
    assertThatThrownBy(() ->
            EachJob.of(numbers(2), List.of("true"), settings(new ShareConverter(3, false), null)))
        .hasMessageContaining("--success 3 of 2 lines");
  }
}
