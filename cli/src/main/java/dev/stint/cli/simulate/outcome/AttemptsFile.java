package dev.stint.cli.simulate.outcome;

import dev.stint.cli.list.CsvRecords;
import dev.stint.cli.output.UserException;
import dev.stint.cli.simulate.outcome.ObservedAttempts.ContainerEnd;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of attempts: what {@code stint attempts -o csv} and {@code -o joblog} write, and the
 * job logs of GNU parallel.
 */
public final class AttemptsFile {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,12}(\\.\\d{1,9})?");
  private static final Pattern INTEGER = Pattern.compile("\\d{1,9}");
  private static final int SIGTERM = 15;

  private final String source;

  private AttemptsFile(String source) {
    this.source = source;
  }

  /**
   * Reads a file.
   *
   * @param source its name
   * @param main the names of the main containers, see {@link ObservedAttempts#of}
   * @throws UserException if it is no such file
   */
  public static ObservedAttempts read(String source, byte[] text, Set<String> main) {
    AttemptsFile file = new AttemptsFile(source);
    String header = new String(text, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    if (header.startsWith("Seq\t")) {
      return ObservedAttempts.of(source, file.joblog(text), main);
    }
    List<String> columns = CsvRecords.fields(header);
    if (columns.containsAll(List.of("index", "attempt", "pod", "container", "state", "seconds"))) {
      return ObservedAttempts.of(source, file.csv(columns, text), main);
    }
    throw new UserException(
        source + ":1: neither a job log nor CSV; write it with stint attempts JOB -o csv");
  }

  private List<ContainerEnd> csv(List<String> columns, byte[] text) {
    List<ContainerEnd> ends = new ArrayList<>();
    int record = 0;
    for (int start = 0; start < text.length; ) {
      int end = CsvRecords.end(text, start, source);
      String line = new String(text, start, end - start, StandardCharsets.UTF_8);
      if (record++ > 0 && !line.isBlank()) {
        ends.add(csv(columns, CsvRecords.fields(line.replaceFirst("\r$", "")), record));
      }
      start = end + 1;
    }
    return ends;
  }

  private ContainerEnd csv(List<String> columns, List<String> fields, int record) {
    if (fields.size() != columns.size()) {
      throw new UserException(
          "%s: record %d has %d fields, its header %d"
              .formatted(source, record, fields.size(), columns.size()));
    }
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i), fields.get(i));
    }
    String where = source + ": record " + record + ": ";
    int number = integerOr(1, where, "attempt", row.get("attempt"));
    Integer code = integer(where, "exit_code", row.get("exit_code"));
    return new ContainerEnd(
        row.getOrDefault("index", "").isEmpty() ? 1 : number,
        row.get("pod") + "/" + number,
        row.getOrDefault("container", ""),
        seconds(where, "seconds", row.get("seconds")),
        ended(row.getOrDefault("state", ""), code) ? code : null);
  }

  private static boolean ended(String state, @Nullable Integer code) {
    return switch (state) {
      case "succeeded" -> true;
      // Its pod failed as a whole: the code does not tell.
      case "failed" -> !Integer.valueOf(0).equals(code);
      default -> false;
    };
  }

  /** A line of a job log. */
  private record Logged(
      int sequence, BigDecimal start, @Nullable Duration duration, @Nullable Integer code) {}

  private List<ContainerEnd> joblog(byte[] text) {
    List<String> lines = new String(text, StandardCharsets.UTF_8).lines().toList();
    List<Logged> logged = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        logged.add(logged(lines.get(i).split("\t", 9), source + ":" + (i + 1) + ": "));
      }
    }
    logged.sort(Comparator.comparing(Logged::start));
    Map<Integer, Integer> numbers = new HashMap<>();
    List<ContainerEnd> ends = new ArrayList<>();
    for (Logged each : logged) {
      int number = numbers.merge(each.sequence(), 1, Integer::sum);
      String attempt = each.sequence() + "/" + number;
      ends.add(new ContainerEnd(number, attempt, "", each.duration(), each.code()));
    }
    return ends;
  }

  /** Reads a line. SIGTERM is how attempts are stopped, which says nothing about the next one. */
  private Logged logged(String[] fields, String where) {
    if (fields.length < 8) {
      throw new UserException(where + "has " + fields.length + " columns, a job log has nine");
    }
    Integer code = integer(where, "Exitval", fields[6]);
    int signal = integerOr(0, where, "Signal", fields[7]);
    String start = fields[2].strip();
    if (!NUMBER.matcher(start).matches()) {
      throw new UserException(where + "Starttime: \"" + start + "\" is not a number of seconds");
    }
    return new Logged(
        integerOr(1, where, "Seq", fields[0]),
        new BigDecimal(start),
        seconds(where, "JobRuntime", fields[3]),
        signal == SIGTERM ? null : signal > 0 ? Integer.valueOf(128 + signal) : code);
  }

  private static @Nullable Duration seconds(String where, String column, @Nullable String text) {
    String number = text == null ? "" : text.strip();
    if (number.isEmpty()) {
      return null;
    }
    if (!NUMBER.matcher(number).matches()) {
      throw new UserException(where + column + ": \"" + number + "\" is not a number of seconds");
    }
    return Duration.ofMillis(new BigDecimal(number).movePointRight(3).longValue());
  }

  private static @Nullable Integer integer(String where, String column, @Nullable String text) {
    String number = text == null ? "" : text.strip();
    if (number.isEmpty()) {
      return null;
    }
    if (!INTEGER.matcher(number).matches()) {
      throw new UserException(where + column + ": \"" + number + "\" is not a number");
    }
    return Integer.valueOf(number);
  }

  private static int integerOr(int otherwise, String where, String column, @Nullable String text) {
    return Objects.requireNonNullElse(integer(where, column, text), otherwise);
  }
}
