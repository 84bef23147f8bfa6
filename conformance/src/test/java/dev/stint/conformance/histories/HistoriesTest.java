package dev.stint.conformance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Our Job controller does what that of Kubernetes 1.36 did when the same happened.
 *
 * <p>{@code conformance/histories/gate.txt} names the histories that every build replays; {@code
 * -Dhistories=all} replays all of them, {@code -Dhistories=17,18} those, {@code -Dhistories.gate}
 * chooses the gate anew. What differs without an {@link Explanation} is written to {@code
 * target/histories.txt}.
 */
class HistoriesTest {
  private static final Path GATE = Path.of("histories", "gate.txt");
  private static final Path REPORT = Path.of("target", "histories.txt");

  @Test
  void ourControllerDoesWhatThatOfKubernetesDid() throws IOException {
    HistoryReport report = new HistoryReport();
    IntPredicate chosen = chosen();
    for (JobHistory recorded : histories(chosen)) {
      report.add(recorded, HistoryReplay.of(recorded));
    }
    System.out.println("recorded histories: " + report.summary());
    Files.writeString(REPORT, String.join("\n\n", report.unexplained()));
    assertThat(report.unexplained()).as("see conformance/" + REPORT).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = "histories.gate", matches = ".*")
  void theGateIsChosenAnew() throws IOException {
    List<Integer> ids = HistoryGate.of(histories(_ -> true));
    Files.writeString(
        GATE, ids.stream().map(String::valueOf).collect(Collectors.joining("\n", "", "\n")));
    assertThat(ids).isNotEmpty();
  }

  private static IntPredicate chosen() throws IOException {
    String named = System.getProperty("histories", "");
    if (named.equals("all")) {
      return _ -> true;
    }
    String ids = named.isEmpty() ? Files.readString(GATE).strip() : named;
    List<Integer> list = Arrays.stream(ids.split("[,\\s]+")).map(Integer::valueOf).toList();
    return list::contains;
  }

  private static List<JobHistory> histories(IntPredicate chosen) throws IOException {
    List<JobHistory> histories =
        HistoryFile.read().values().stream().filter(each -> chosen.test(each.id())).toList();
    assertThat(histories).isNotEmpty();
    return histories;
  }
}
