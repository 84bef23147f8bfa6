package dev.stint.bench.day;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of one minute.
 *
 * @param second of its end, since the load began
 */
record Sample(long second, Map<Figure, Double> figures) {
  /** The first line of a file of samples. */
  static final String HEADER =
      "second,"
          + Arrays.stream(Figure.values())
              .map(figure -> figure.name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(","));

  Sample {
    figures = new EnumMap<>(figures);
  }

  double get(Figure figure) {
    return figures.getOrDefault(figure, 0.0);
  }

  String line() {
    return second
        + ","
        + Arrays.stream(Figure.values())
            .map(figure -> String.format(Locale.ROOT, "%.1f", get(figure)))
            .collect(Collectors.joining(","));
  }

  static Sample parse(String line) {
    Iterator<String> cells = List.of(line.split(",")).iterator();
    long second = Long.parseLong(cells.next());
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      figures.put(figure, Double.valueOf(cells.next()));
    }
    return new Sample(second, figures);
  }
}
