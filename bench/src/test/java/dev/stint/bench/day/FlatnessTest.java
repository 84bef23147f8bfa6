package dev.stint.bench.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlatnessTest {
  private static Flatness of(Figure figure, IntToDoubleFunction value) {
    List<Sample> samples =
        IntStream.rangeClosed(1, 60)
            .mapToObj(
                minute -> new Sample(minute * 60L, Map.of(figure, value.applyAsDouble(minute))))
            .toList();
    return Flatness.of(figure, samples);
  }

  @Test
  void aFigureThatGrowsFromQuarterToQuarterIsNotFlat() {
    Flatness growing = of(Figure.HEAP, minute -> 200 + 2 * minute);
    assertThat(growing.before()).isEqualTo(246);
    assertThat(growing.after()).isEqualTo(306);
    assertThat(growing.isFlat()).isFalse();
    assertThat(growing.row())
        .isEqualTo("| heap after collection | 246 MB | 306 MB | 320 MB | **grows** |");
  }

  @Test
  void theStartAndSinglePeaksDoNotCount() {
    assertThat(of(Figure.HEAP, minute -> Math.min(minute, 14)).isFlat()).isTrue();
    assertThat(of(Figure.HEAP, minute -> minute % 10 == 0 ? 900 : 100).isFlat()).isTrue();
  }

  @Test
  void aTenthAndALittleMoreIsFlat() {
    assertThat(of(Figure.HEAP, minute -> minute > 45 ? 120 : 100).isFlat()).isTrue();
    assertThat(of(Figure.HEAP, minute -> minute > 45 ? 121 : 100).isFlat()).isFalse();
    assertThat(of(Figure.THREADS, minute -> minute > 45 ? 5 : 0).isFlat()).isTrue();
  }

  @Test
  void theLoadOfTheMachineIsNotJudged() {
    assertThat(of(Figure.LOAD, minute -> minute).isFlat()).isTrue();
    assertThat(of(Figure.LOAD, minute -> minute).row()).endsWith("|  |");
  }

  @Test
  void fewerThanFourSamplesAreNoHour() {
    assertThatThrownBy(() -> Flatness.of(Figure.HEAP, List.of()))
        .hasMessage("at least four samples are needed");
  }
}
