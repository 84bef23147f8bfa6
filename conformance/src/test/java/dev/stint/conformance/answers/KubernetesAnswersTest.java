package dev.stint.conformance.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Every recorded request to a Kubernetes 1.36 API server gets the recorded answer.
 *
 * <p>{@code conformance/answers/difference-limits.tsv} sets the maximum number of rows of each area
 * that may differ; a number may fall, never rise. {@code differences.tsv} lists the rows that may
 * differ for good, each with its reason. Differences are written to {@code
 * target/answers/AREA.txt}. {@code -Danswers=AREA,AREA} and {@code -Danswers.only=REGEX}, which
 * matches ids, play a part of the rows.
 *
 * <p>It is slow because it plays some eighty thousand requests.
 */
@Order(1)
class KubernetesAnswersTest {
  private static final Path ANSWERS = Path.of("answers");
  private static final Path REPORTS = Path.of("target", "answers");
  private static final String SUFFIX = ".jsonl.gz";
  private static final Pattern CHOSEN = Pattern.compile(System.getProperty("answers.only", ""));

  @Test
  void everyRecordedRequestGetsTheRecordedAnswer() throws Exception {
    Map<String, Integer> limits = new LinkedHashMap<>();
    table("difference-limits.tsv").forEach(row -> limits.put(row[0], Integer.valueOf(row[1])));
    List<String> broken = new ArrayList<>();
    int rows = 0;
    for (Future<AnswerAgreement> played : played()) {
      AnswerAgreement agreement = played.get();
      rows += agreement.rows();
      System.out.println(agreement.summary());
      if (agreement.differing() > limits.getOrDefault(agreement.area(), 0)) {
        broken.add(agreement.summary());
      }
      broken.addAll(needlesslyExcused(agreement));
    }
    System.out.println("recorded answers: " + rows + " rows");
    assertThat(rows).isPositive();
    assertThat(broken).as("see conformance/" + REPORTS).isEmpty();
  }

  /** Rows that agree need no reason any more. */
  private static List<String> needlesslyExcused(AnswerAgreement agreement) throws IOException {
    return known(agreement.area()).stream()
        .filter(id -> CHOSEN.asPredicate().test(id) && !agreement.excused().contains(id))
        .map(id -> agreement.area() + ": " + id + " is in differences.tsv and agrees")
        .toList();
  }

  /** Returns the rows of an area that may differ. */
  private static Set<String> known(String area) throws IOException {
    return table("differences.tsv")
        .filter(row -> row[0].equals(area))
        .map(row -> row[1])
        .collect(Collectors.toSet());
  }

  private static List<Future<AnswerAgreement>> played() throws IOException {
    try (ExecutorService players = Executors.newFixedThreadPool(2)) {
      return areas().stream().map(area -> players.submit(() -> play(area))).toList();
    }
  }

  /** Largest first, so that both players end at about the same time. */
  private static List<String> areas() throws IOException {
    String chosen = System.getProperty("answers", "");
    List<String> names = List.of(chosen.split(","));
    try (Stream<Path> files = Files.list(ANSWERS)) {
      return files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .sorted(Comparator.comparingLong(file -> -file.toFile().length()))
          .map(file -> file.getFileName().toString().replace(SUFFIX, ""))
          .filter(name -> chosen.isEmpty() || names.contains(name))
          .toList();
    }
  }

  private static AnswerAgreement play(String name) throws Exception {
    AnswerAgreement agreement = new AnswerAgreement(name, known(name)::contains);
    try (InProcessApi api = new InProcessApi()) {
      RequestPlayer player = new RequestPlayer(api, AnswerFile.of(name));
      RecordedAnswer.each(
          ANSWERS.resolve(name + SUFFIX),
          row -> {
            if (CHOSEN.asPredicate().test(row.id())) {
              agreement.take(row, player.play(row));
            }
          });
    }
    agreement.report(REPORTS);
    return agreement;
  }

  @Test
  void everyDifferenceHasItsReason() throws IOException {
    assertThat(table("differences.tsv"))
        .allMatch(row -> row.length == 3 && row[2].length() > 20, "a reason of some words");
  }

  /** Returns the lines of a table, without its head. */
  private static Stream<String[]> table(String name) throws IOException {
    return Files.readAllLines(ANSWERS.resolve(name)).stream()
        .skip(1)
        .map(line -> line.split("\t", 3));
  }
}
