package dev.stint.bench.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class DayPictureTest {
  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(60, Map.of(Figure.HEAP, 100.0, Figure.COMPLETE_P99, 2000.0)),
          new Sample(120, Map.of(Figure.HEAP, 50.0, Figure.COMPLETE_P99, 1000.0)));

  private static String svg() {
    return new DayPicture("Two minutes", SAMPLES).svg();
  }

  @Test
  void eachFigureHasALineFromZeroToItsHighestValue() throws Exception {
    Document picture =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg().getBytes(StandardCharsets.UTF_8)));
    assertThat(picture.getElementsByTagName("polyline").getLength())
        .isEqualTo(Figure.values().length);
    assertThat(svg())
        .contains("<title>Two minutes</title>", ">0 to 100 MB</text>", ">0 to 2,000 ms</text>")
        .contains("<polyline points=\"159.0,68.0 294.0,103.0\"/>")
        .doesNotContain("NaN");
  }

  @Test
  void theSameSamplesGiveTheSameBytesWhateverTheLocale() {
    String first = svg();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(svg()).isEqualTo(first);
    } finally {
      Locale.setDefault(before);
    }
  }
}
