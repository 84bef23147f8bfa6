package dev.stint.bench.day;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A small panel for each figure, with a line over the time from 0 to its highest value. Reads well
 * on light and dark ground.
 */
record DayPicture(String title, List<Sample> samples) {
  /** A panel of one figure, or of a median and its 99th percentile. */
  private record Panel(String title, List<Figure> figures) {}

  private static final List<Panel> PANELS =
      List.of(
          new Panel("heap after collection", List.of(Figure.HEAP)),
          new Panel("resident memory", List.of(Figure.RESIDENT)),
          new Panel("threads", List.of(Figure.THREADS)),
          new Panel("open file descriptors", List.of(Figure.DESCRIPTORS)),
          new Panel("data directory", List.of(Figure.DISK)),
          new Panel("files in the data directory", List.of(Figure.FILES)),
          new Panel("Jobs, pods and events", List.of(Figure.OBJECTS)),
          new Panel("to Complete, p99 and median", List.of(Figure.COMPLETE_P99, Figure.COMPLETE)),
          new Panel("creation, p99 and median", List.of(Figure.CREATE_P99, Figure.CREATE)),
          new Panel("/readyz, p99 and median", List.of(Figure.READY_P99, Figure.READY)),
          new Panel("Jobs created each minute", List.of(Figure.CREATED)),
          new Panel("load of the machine", List.of(Figure.LOAD)));

  private static final int COLUMNS = 3;
  private static final int PANEL_WIDTH = 300;
  private static final int PLOT_WIDTH = 270;
  private static final int PANEL_HEIGHT = 130;
  private static final int PLOT_HEIGHT = 70;
  private static final int SIDE = 24;
  private static final int TOP = 56;

  private static final String STYLE =
      """
      text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
      .soft { fill: #59636e; font-size: 11px } .ground { fill: #ffffff } .axis { stroke: #c8d1da }
      polyline { fill: none; stroke: #3b76c4; stroke-width: 1.5 } .high { stroke: #cf5b2e }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc } .soft { fill: #9aa4af } .ground { fill: #0d1117 } .axis { stroke: #3d444d }
        polyline { stroke: #6ea8f0 } .high { stroke: #f0935f }
      }
      """;

  DayPicture {
    samples = List.copyOf(samples);
  }

  String svg() {
    int rows = (PANELS.size() + COLUMNS - 1) / COLUMNS;
    int width = 2 * SIDE + COLUMNS * PANEL_WIDTH - (PANEL_WIDTH - PLOT_WIDTH);
    int height = TOP + rows * PANEL_HEIGHT;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" role="img">
        <title>%s</title>
        <style>
        %s</style>
        <rect class="ground" width="%d" height="%d" rx="8"/>
        <text class="title" x="%d" y="32">%s</text>
        """
            .formatted(width, height, width, title, STYLE, width, height, SIDE, title));
    for (int i = 0; i < PANELS.size(); i++) {
      int x = SIDE + i % COLUMNS * PANEL_WIDTH;
      svg.append(panel(PANELS.get(i), x, TOP + i / COLUMNS * PANEL_HEIGHT));
    }
    return svg.append("</svg>\n").toString();
  }

  private String panel(Panel panel, int x, int top) {
    Figure first = panel.figures().getFirst();
    double highest =
        panel.figures().stream()
            .flatMapToDouble(figure -> samples.stream().mapToDouble(each -> each.get(figure)))
            .max()
            .orElse(0);
    int bottom = top + 12 + PLOT_HEIGHT;
    String lines =
        panel.figures().stream()
            .map(figure -> line(panel, figure, x, bottom, Math.max(highest, 1)))
            .collect(Collectors.joining());
    return """
    <text class="soft" x="%d" y="%d">%s</text>
    <text class="soft" x="%d" y="%d" text-anchor="end">0 to %s</text>
    <line class="axis" x1="%d" x2="%d" y1="%d" y2="%d"/>
    %s\
    """
        .formatted(
            x,
            top,
            panel.title(),
            x + PLOT_WIDTH,
            top,
            first.format(highest),
            x,
            x + PLOT_WIDTH,
            bottom,
            bottom,
            lines);
  }

  private String line(Panel panel, Figure figure, int x, int bottom, double highest) {
    double last = samples.getLast().second();
    ToDoubleFunction<Sample> across = sample -> x + sample.second() / last * PLOT_WIDTH;
    ToDoubleFunction<Sample> up = sample -> bottom - sample.get(figure) / highest * PLOT_HEIGHT;
    String points =
        samples.stream()
            .map(each ->
                String.format(
                    Locale.ROOT, "%.1f,%.1f", across.applyAsDouble(each), up.applyAsDouble(each)))
            .collect(Collectors.joining(" "));
    boolean isHigh = panel.figures().size() > 1 && figure == panel.figures().getFirst();
    return "<polyline%s points=\"%s\"/>\n".formatted(isHigh ? " class=\"high\"" : "", points);
  }
}
