package dev.stint.cli.simulate.picture;

import dev.stint.cli.flag.DurationConverter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Histograms of wall times, one above the other on one scale, as a picture that reads well on light
 * and dark ground. The same times give the same bytes.
 *
 * @param rows at least one
 */
public record DistributionPicture(String title, List<Row> rows) {
  /**
   * One histogram.
   *
   * @param complete the wall times of the runs that were Complete, in milliseconds
   * @param failed those of the others
   */
  public record Row(String name, List<Long> complete, List<Long> failed) {
    public Row {
      complete = List.copyOf(complete);
      failed = List.copyOf(failed);
    }

    private List<Long> all() {
      return Stream.concat(complete.stream(), failed.stream()).sorted().toList();
    }

    private long percentile(int percent) {
      List<Long> sorted = all();
      return sorted.get((int) ((sorted.size() * (long) percent + 99) / 100) - 1);
    }

    private String summary() {
      return String.format(
          Locale.ROOT,
          "%.1f %% Complete · median %s · p95 %s",
          100.0 * complete.size() / all().size(),
          span(percentile(50)),
          span(percentile(95)));
    }
  }

  private static final int WIDTH = 720;
  private static final int SIDE = 24;
  private static final int TOP = 56;
  private static final int HEAD = 26;
  private static final int BARS = 110;
  private static final int ROW = HEAD + BARS + 34;

  private static final String STYLE =
      """
      text { font: 13px system-ui, sans-serif; fill: #1f2328 }
      .title { font-size: 15px; font-weight: 600 } .soft { fill: #59636e; font-size: 12px }
      .ground { fill: #ffffff } .axis { stroke: #c8d1da } .complete { fill: #3b76c4 }
      .failed { fill: #cf5b2e } .mark { stroke: #1f2328; stroke-dasharray: 3 3 }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc } .soft { fill: #9aa4af } .ground { fill: #0d1117 }
        .axis { stroke: #3d444d } .complete { fill: #6ea8f0 } .failed { fill: #f0935f }
        .mark { stroke: #f0f6fc }
      }
      """;

  public DistributionPicture {
    rows = List.copyOf(rows);
  }

  /** Returns the picture. */
  public String svg() {
    List<Long> all = rows.stream().flatMap(row -> row.all().stream()).sorted().toList();
    long least = all.getLast() < 10_000 ? 1 : 1000;
    TimeScale scale = TimeScale.of(all.getFirst(), all.getLast(), least);
    int height = TOP + ROW * rows.size();
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" role=\"img\">"
            .formatted(WIDTH, height, WIDTH));
    add(svg, "<title>%s</title>".formatted(escaped(title)));
    svg.append("<style>\n").append(STYLE).append("</style>\n");
    add(
        svg,
        "<rect class=\"ground\" width=\"%s\" height=\"%s\" rx=\"8\"/>".formatted(WIDTH, height));
    add(svg, "<text class=\"title\" x=\"%s\" y=\"32\">%s</text>".formatted(SIDE, escaped(title)));
    legend(svg);
    int most = rows.stream().mapToInt(row -> tallest(scale, row)).max().orElse(1);
    for (int i = 0; i < rows.size(); i++) {
      row(svg, scale, rows.get(i), TOP + ROW * i, most);
    }
    return svg.append("</svg>\n").toString();
  }

  /** Names the colours if some run has failed. */
  private void legend(StringBuilder svg) {
    if (rows.stream().anyMatch(row -> !row.failed().isEmpty())) {
      int x = WIDTH - SIDE - 140;
      add(
          svg,
          "<rect class=\"complete\" x=\"%s\" y=\"22\" width=\"10\" height=\"10\"/>".formatted(x));
      add(svg, "<text class=\"soft\" x=\"%s\" y=\"31\">Complete</text>".formatted(x + 15));
      add(
          svg,
          "<rect class=\"failed\" x=\"%s\" y=\"22\" width=\"10\" height=\"10\"/>"
              .formatted(x + 85));
      add(svg, "<text class=\"soft\" x=\"%s\" y=\"31\">Failed</text>".formatted(x + 100));
    }
  }

  private static int tallest(TimeScale scale, Row row) {
    return IntStream.of(scale.counts(row.all())).max().orElse(1);
  }

  private static void row(StringBuilder svg, TimeScale scale, Row row, int top, int most) {
    int bottom = top + HEAD + BARS;
    add(svg, "<text x=\"%s\" y=\"%s\">%s</text>".formatted(SIDE, top + 12, escaped(row.name())));
    add(
        svg,
        "<text class=\"soft\" x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>"
            .formatted(WIDTH - SIDE, top + 12, escaped(row.summary())));
    bars(svg, scale, row, bottom, most);
    axis(svg, scale, bottom);
    for (int percent : List.of(50, 95)) {
      double x = x(scale, row.percentile(percent));
      add(
          svg,
          "<line class=\"mark\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
              .formatted(one(x), one(x), top + HEAD - 4, bottom));
    }
  }

  private static void bars(StringBuilder svg, TimeScale scale, Row row, int bottom, int most) {
    int[] complete = scale.counts(row.complete());
    int[] failed = scale.counts(row.failed());
    double unit = (double) BARS / most;
    for (int i = 0; i < scale.bins(); i++) {
      double x = x(scale, scale.lowest() + i * scale.step());
      bar(svg, "complete", scale, x, bottom - complete[i] * unit, complete[i] * unit);
      bar(svg, "failed", scale, x, bottom - (complete[i] + failed[i]) * unit, failed[i] * unit);
    }
  }

  private static void bar(
      StringBuilder svg, String kind, TimeScale scale, double x, double y, double height) {
    if (height > 0) {
      double width = (double) (WIDTH - 2 * SIDE) / scale.bins() - 1.5;
      add(
          svg,
          "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>"
              .formatted(kind, one(x + 0.75), one(y), one(width), one(height)));
    }
  }

  private static void axis(StringBuilder svg, TimeScale scale, int bottom) {
    add(
        svg,
        "<line class=\"axis\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
            .formatted(SIDE, WIDTH - SIDE, bottom, bottom));
    for (long tick : scale.ticks()) {
      double x = x(scale, tick);
      String anchor = tick == scale.lowest() ? "start" : tick == scale.highest() ? "end" : "middle";
      add(
          svg,
          "<line class=\"axis\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
              .formatted(one(x), one(x), bottom, bottom + 5));
      add(
          svg,
          "<text class=\"soft\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>"
              .formatted(one(x), bottom + 19, anchor, span(tick)));
    }
  }

  private static double x(TimeScale scale, long time) {
    double share = (double) (time - scale.lowest()) / (scale.highest() - scale.lowest());
    return SIDE + share * (WIDTH - 2 * SIDE);
  }

  private static void add(StringBuilder svg, String line) {
    svg.append(line).append('\n');
  }

  /** Formats a number with one decimal place. */
  private static String one(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  /** Formats a time, to the second from ten seconds on. */
  private static String span(long millis) {
    long shown = millis < 10_000 ? millis : (millis + 500) / 1000 * 1000;
    return DurationConverter.format(Duration.ofMillis(shown));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
