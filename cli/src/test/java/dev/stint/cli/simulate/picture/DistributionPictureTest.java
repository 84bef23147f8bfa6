package dev.stint.cli.simulate.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.simulate.picture.DistributionPicture.Row;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class DistributionPictureTest {
  private static final List<Long> TIMES =
      LongStream.range(60, 100).map(n -> n * 1000).boxed().toList();

  private static String svg(Row... rows) {
    return new DistributionPicture("Wall time of a < b & c", List.of(rows)).svg();
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aPictureIsWellFormedAndHasABarForEachBin() throws Exception {
    String svg = svg(new Row("all", TIMES, List.of(61_000L)));
    assertThat(parsed(svg).getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg)
        .contains("<title>Wall time of a &lt; b &amp; c</title>", "prefers-color-scheme: dark")
        .contains("97.6 % Complete · median 1m19s · p95 1m37s", ">Failed</text>")
        .doesNotContain("NaN");
    assertThat(svg.split("class=\"complete\" x=\"[0-9.]+\" y=\"[0-9.]+\" w"))
        .as("forty bars and one in the legend")
        .hasSize(42);
  }

  @Test
  void runsThatNeverFailNeedNoLegend() {
    assertThat(svg(new Row("all", TIMES, List.of()))).doesNotContain("Failed");
  }

  @Test
  void theSameTimesGiveTheSameBytesWhateverTheLocale() {
    String first = svg(new Row("one", TIMES, List.of()), new Row("two", List.of(0L), TIMES));
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(svg(new Row("one", TIMES, List.of()), new Row("two", List.of(0L), TIMES)))
          .isEqualTo(first);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void oneTimeAloneIsDrawn() throws Exception {
    String svg = svg(new Row("one", List.of(30_000L), List.of()));
    assertThat(parsed(svg).getElementsByTagName("rect").getLength()).isEqualTo(2);
  }
}
