package dev.stint.conformance.answers;

import dev.stint.conformance.answers.InProcessApi.Answered;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The agreement of one area's answers with the recorded ones. */
final class AnswerAgreement {
  private final String area;
  private final Predicate<String> mayDiffer;
  private final List<Difference> differences = new ArrayList<>();
  private final Set<String> excused = new TreeSet<>();
  private int rows;

  /**
   * @param mayDiffer true for ids of rows that are known to differ
   */
  AnswerAgreement(String area, Predicate<String> mayDiffer) {
    this.area = area;
    this.mayDiffer = mayDiffer;
  }

  /**
   * A row whose answer differs.
   *
   * @param kind what rows with the same fault have in common
   */
  private record Difference(String id, String kind, String wanted, String found) {
    String text() {
      return id + "\n  wanted " + wanted + "\n  found  " + found;
    }
  }

  void take(RecordedAnswer row, @Nullable Answered answered) {
    rows++;
    Difference difference = difference(row, answered);
    if (difference == null) {
      return;
    }
    if (mayDiffer.test(row.id())) {
      excused.add(row.id());
    } else {
      differences.add(difference);
    }
  }

  private static @Nullable Difference difference(RecordedAnswer row, @Nullable Answered answered) {
    if (answered == null) {
      return new Difference(row.id(), "cannot be set up", "", "");
    }
    AdmissionResult found = AdmissionResult.of(answered);
    if (!row.verdict().agreesWith(found)) {
      return new Difference(
          row.id(), kind(row.verdict(), found), row.verdict().toString(), found.toString());
    }
    if (!found.accepted()) {
      return warnings(row, answered);
    }
    ObjectNode admitted = answered.tree() == null ? null : NormalizedObject.of(answered.tree());
    ObjectNode wanted = row.admitted() == null ? null : NormalizedObject.of(row.admitted());
    if (wanted != null && !wanted.equals(admitted)) {
      return new Difference(
          row.id(),
          "admitted: " + TreeDifference.differing(wanted, admitted),
          wanted.toString(),
          String.valueOf(admitted));
    }
    return warnings(row, answered);
  }

  private static @Nullable Difference warnings(RecordedAnswer row, Answered answered) {
    List<String> wanted = row.warnings();
    return wanted == null || wanted.equals(answered.warnings())
        ? null
        : new Difference(row.id(), "warnings", wanted.toString(), answered.warnings().toString());
  }

  private static String kind(AdmissionResult wanted, AdmissionResult found) {
    Set<String> missing = new TreeSet<>(wanted.causes());
    missing.removeAll(found.causes());
    Set<String> surplus = new TreeSet<>(found.causes());
    surplus.removeAll(wanted.causes());
    String codes = wanted.code() == found.code() ? "" : wanted.code() + " but " + found.code();
    return "%s missing %s surplus %s".formatted(codes, missing, surplus).replaceAll("\\d+\\]", "]");
  }

  String area() {
    return area;
  }

  int rows() {
    return rows;
  }

  int differing() {
    return differences.size();
  }

  /** Returns the ids of the rows that differ and may. */
  Set<String> excused() {
    return excused;
  }

  String summary() {
    return "%s: %d of %d rows agree (%.2f %%), %d may differ"
        .formatted(
            area, rows - differing(), rows, 100.0 * (rows - differing()) / rows, excused.size());
  }

  /** Writes the differences, first by kind and count, then row by row. */
  void report(Path directory) throws IOException {
    Map<String, List<Difference>> kinds = new TreeMap<>();
    differences.forEach(one -> kinds.computeIfAbsent(one.kind(), _ -> new ArrayList<>()).add(one));
    List<String> lines = new ArrayList<>(List.of(summary(), ""));
    kinds.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> -entry.getValue().size()))
        .forEach(entry ->
            lines.add(
                "%5d %s   such as %s"
                    .formatted(
                        entry.getValue().size(),
                        entry.getKey(),
                        entry.getValue().getFirst().id())));
    lines.add("");
    differences.forEach(one -> lines.add(one.text()));
    Files.createDirectories(directory);
    Files.write(
        directory.resolve(area + ".txt"),
        String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }
}
