package dev.stint.bench.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class BoundsCheckTest {
  private static final Map<String, ObjectNode> FIGURES =
      Map.of(
          "plain", Json.parse("{\"wallSeconds\":2,\"finishToStatusMillis\":{\"p99\":30}}"),
          "per-index", Json.parse("{\"wallSeconds\":3}"));

  @Test
  void valuesAreTakenAsTheyAreOrAsRatios() {
    assertThat(figure("plain", "finishToStatusMillis.p99", "")).isEqualTo(30);
    assertThat(figure("plain", "wallSeconds", "per: calibration,")).isEqualTo(4);
    assertThat(figure("per-index", "wallSeconds", "per: plain,")).isEqualTo(1.5);
    assertThatThrownBy(() -> figure("plain", "speed", ""))
        .hasMessageContaining("plain has no speed");
  }

  @Test
  void aBoundIsTheMedianWithItsMargin() {
    MeasurementBound slow = new MeasurementBound("plain", "wallSeconds", null, 2, 0.1, false);
    assertThat(slow.isMet(2.19)).isTrue();
    assertThat(slow.isMet(2.21)).isFalse();
    assertThat(slow.line(2.21)).startsWith("WORSE plain").endsWith("at most 2.200");
    MeasurementBound fast = new MeasurementBound("plain", "ratioToXargs", null, 0.5, 0.2, true);
    assertThat(fast.isMet(0.41)).isTrue();
    assertThat(fast.isMet(0.39)).isFalse();
    assertThat(fast.line(0.41)).startsWith("ok ").endsWith("at least 0.400");
  }

  @Test
  void mediansAreOfAnyNumberOfValues() {
    assertThat(MeasurementBound.median(3)).isEqualTo(3);
    assertThat(MeasurementBound.median(9, 1, 5)).isEqualTo(5);
    assertThat(MeasurementBound.median(9, 1, 5, 3)).isEqualTo(4);
  }

  @Test
  void theFileIsValid() throws Exception {
    List<BoundsCheck.Run> runs = BoundsCheck.read(Files.readString(Path.of("bounds.yaml")));
    assertThat(runs)
        .isNotEmpty()
        .allSatisfy(run -> {
          assertThat(run.command()).startsWith("bench");
          assertThat(run.bounds()).isNotEmpty();
        });
    List<String> names = runs.stream().map(BoundsCheck.Run::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    for (BoundsCheck.Run run : runs) {
      for (MeasurementBound bound : run.bounds()) {
        String per = bound.per();
        assertThat(
                per == null || per.equals(MeasurementBound.CALIBRATION) || names.indexOf(per) >= 0)
            .as("%s", bound)
            .isTrue();
      }
    }
  }

  private static double figure(String run, String value, String per) {
    String yaml =
        "runs: [{name: %s, command: bench, bounds: [{value: %s, %s median: 1, margin: 0}]}]"
            .formatted(run, value, per);
    return BoundsCheck.figure(BoundsCheck.read(yaml).getFirst().bounds().getFirst(), FIGURES, 0.5);
  }
}
