package dev.stint.bench.bounds;

import dev.stint.model.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures everything that {@code bench/bounds.yaml} has bounds for, and compares the medians. The
 * measurements take turns in rounds, so that other load on the machine affects all of them alike.
 * Arguments: the launcher, the file with the bounds, the number of rounds. Exits with 1 if a bound
 * is exceeded.
 */
public final class BoundsCheck {
  /** A measurement: the command to run, and the bounds of its values. */
  record Run(String name, List<String> command, List<MeasurementBound> bounds) {}

  private final Path launcher;
  private final List<Run> runs;
  private final Map<MeasurementBound, List<Double>> measured = new LinkedHashMap<>();

  private BoundsCheck(Path launcher, List<Run> runs) {
    this.launcher = launcher;
    this.runs = runs;
  }

  public static void main(String[] arguments) throws Exception {
    BoundsCheck check =
        new BoundsCheck(Path.of(arguments[0]), read(Files.readString(Path.of(arguments[1]))));
    Calibration.seconds(); // Loads and compiles the code.
    for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
      check.round();
    }
    if (!check.report()) {
      System.exit(1);
    }
  }

  /** Reads the file. */
  static List<Run> read(String yaml) {
    Map<?, ?> file = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
    List<Run> runs = new ArrayList<>();
    for (Map<?, ?> run : maps(file, "runs")) {
      String name = String.valueOf(run.get("name"));
      List<String> command = List.of(String.valueOf(run.get("command")).split(" ", -1));
      runs.add(
          new Run(
              name,
              command,
              maps(run, "bounds").stream()
                  .map(bound -> MeasurementBound.read(name, bound))
                  .toList()));
    }
    return runs;
  }

  private static List<Map<?, ?>> maps(Map<?, ?> yaml, String member) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (yaml.get(member) instanceof List<?> list) {
      list.forEach(each -> maps.add((Map<?, ?>) each));
    }
    return maps;
  }

  private void round() throws IOException, InterruptedException {
    Map<String, ObjectNode> figures = new HashMap<>();
    for (Run run : runs) {
      double before = Calibration.seconds();
      ObjectNode printed = measure(run.command());
      double calibration = (before + Calibration.seconds()) / 2;
      figures.put(run.name(), printed);
      for (MeasurementBound bound : run.bounds()) {
        measured
            .computeIfAbsent(bound, _ -> new ArrayList<>())
            .add(figure(bound, figures, calibration));
      }
    }
  }

  /**
   * Returns the value that a bound applies to.
   *
   * @param figures the output of this round's measurements so far, by name
   */
  static double figure(
      MeasurementBound bound, Map<String, ObjectNode> figures, double calibration) {
    double value = value(figures, bound.run(), bound.value());
    if (bound.per() == null) {
      return value;
    }
    return bound.per().equals(MeasurementBound.CALIBRATION)
        ? value / calibration
        : value / value(figures, bound.per(), bound.value());
  }

  private static double value(Map<String, ObjectNode> figures, String run, String path) {
    ObjectNode printed = figures.get(run);
    JsonNode value = printed == null ? null : printed.at("/" + path.replace('.', '/'));
    if (value == null || !value.isNumber()) {
      throw new IllegalArgumentException(run + " has no " + path);
    }
    return value.doubleValue();
  }

  private ObjectNode measure(List<String> command) throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(command);
    argv.addFirst(launcher.toString());
    argv.addAll(List.of("-o", "json"));
    Process process =
        new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", argv) + " ended with status " + status);
    }
    return Json.parse(printed);
  }

  private boolean report() {
    boolean good = true;
    for (Map.Entry<MeasurementBound, List<Double>> each : measured.entrySet()) {
      double median =
          MeasurementBound.median(each.getValue().stream().mapToDouble(v -> v).toArray());
      System.out.println(each.getKey().line(median));
      good &= each.getKey().isMet(median);
    }
    return good;
  }
}
