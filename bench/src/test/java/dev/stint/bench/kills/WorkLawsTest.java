package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkLawsTest {
  private static final int LINES = 2;

  private static List<RecordedAttempt> attempts(String... lines) throws IOException {
    return JobFile.parse(List.of(lines));
  }

  private static List<RecordedAttempt> whole(String tag) throws IOException {
    return attempts(tag + " begin", tag + " 1", tag + " 2", tag + " end");
  }

  private static JobLogs logs(String... files) {
    return new JobLogs(List.of(files), List.of(0), List.of());
  }

  private static List<String> check(
      List<RecordedAttempt> attempts, Map<Integer, Integer> finished, JobLogs logs) {
    return WorkLaws.ofComplete("work", LINES, false, Map.of(0, attempts), finished, logs);
  }

  private static void expect(List<String> violations, String law) {
    assertThat(violations).anySatisfy(each -> assertThat(each).contains(law));
  }

  @Test
  void anIndexThatRunsOnceIsRight() throws IOException {
    assertThat(check(whole("a.1"), Map.of(0, 1), logs("a.1 1\na.1 2\n"))).isEmpty();
  }

  @Test
  void anIndexThatALossOfPowerCutOffMayRunAgain() throws IOException {
    List<RecordedAttempt> attempts =
        attempts("a.1 begin", "a.1 1", "b.1 begin", "b.1 1", "b.1 2", "b.1 end");
    assertThat(check(attempts, Map.of(), logs("a.1 1\n", "b.1 1\nb.1 2\n"))).isEmpty();
  }

  @Test
  void anIndexThatRunsTwiceInOneBootIsFound() throws IOException {
    List<RecordedAttempt> attempts =
        attempts("a.1 begin", "a.2 begin", "a.2 1", "a.2 2", "a.1 1", "a.2 end");
    expect(
        check(attempts, Map.of(), logs("a.1 1\n", "a.2 1\na.2 2\n")),
        "began twice without a loss of power");
  }

  @Test
  void anIndexThatRunsAgainAfterItsEndIsFound() throws IOException {
    List<RecordedAttempt> attempts =
        attempts("a.1 begin", "a.1 1", "a.1 2", "a.1 end", "b.1 begin", "b.1 1", "b.1 2");
    JobLogs logs = logs("a.1 1\na.1 2\n", "b.1 1\nb.1 2\n");
    assertThat(check(attempts, Map.of(), logs)).isEmpty();
    expect(check(attempts, Map.of(0, 1), logs), "ran again after it had finished");
  }

  @Test
  void anIndexThatNeverEndsIsFound() throws IOException {
    expect(check(attempts("a.1 begin", "a.1 1"), Map.of(), logs("a.1 1\n")), "never ended");
    expect(check(List.of(), Map.of(), logs()), "never ended");
  }

  @Test
  void aLostLineIsFound() throws IOException {
    expect(check(whole("a.1"), Map.of(), logs("a.1 1\n")), "1 of 2 lines in the log");
    expect(check(whole("a.1"), Map.of(), logs("")), "0 of 2 lines in the log");
    expect(check(whole("a.1"), Map.of(), logs("a.1 2\n")), "a log is not whole");
  }

  @Test
  void aLostLineOfAnAttemptThatWasCutOffIsFound() throws IOException {
    List<RecordedAttempt> attempts =
        attempts("a.1 begin", "a.1 1", "b.1 begin", "b.1 1", "b.1 2", "b.1 end");
    expect(check(attempts, Map.of(), logs("b.1 1\nb.1 2\n")), "0 of 1 lines in the log");
  }

  @Test
  void aTornOrAMixedLogIsFound() throws IOException {
    expect(check(whole("a.1"), Map.of(), logs("a.1 1\na.1 2\na.1")), "a log is not whole");
    expect(check(whole("a.1"), Map.of(), logs("a.1 1\na.1 2\nb.7 1\n")), "a log is not whole");
    expect(check(whole("a.1"), Map.of(), logs("a.1 1\na.1 2\n", "a.1 1\n")), "two logs");
  }

  @Test
  void aRecordThatIsTornOrHasTwoSuccessesIsFound() throws IOException {
    List<String> log = List.of("a.1 1\na.1 2\n");
    expect(
        check(whole("a.1"), Map.of(), new JobLogs(log, List.of(0), List.of("{\"pod\":"))),
        "not whole in _attempts.jsonl");
    expect(
        check(whole("a.1"), Map.of(), new JobLogs(log, List.of(0, 0), List.of())),
        "2 successes of index 0");
  }

  @Test
  void aDeletedJobMayBeCutOffButNotRunTwice() throws IOException {
    List<RecordedAttempt> cutOff = attempts("a.1 begin", "a.1 1");
    List<RecordedAttempt> twice = attempts("a.1 begin", "a.2 begin");
    assertThat(WorkLaws.ofDeleted("work", LINES, false, Map.of(0, cutOff), logs("a.1 1\n")))
        .isEmpty();
    expect(WorkLaws.ofDeleted("work", LINES, false, Map.of(0, twice), logs()), "began twice");
  }

  @Test
  void anIndexThatWasStoppedMayRunAgainUntilItEnds() throws IOException {
    Map<Integer, List<RecordedAttempt>> stopped =
        Map.of(0, attempts("a.1 begin", "a.1 1", "a.2 begin", "a.2 1", "a.2 2", "a.2 end"));
    JobLogs logs = logs("a.1 1\n", "a.2 1\na.2 2\n");
    assertThat(WorkLaws.ofComplete("work", LINES, true, stopped, Map.of(), logs)).isEmpty();
    Map<Integer, List<RecordedAttempt>> twice =
        Map.of(0, attempts("a.1 begin", "a.1 end", "a.2 begin", "a.2 end"));
    expect(WorkLaws.ofDeleted("work", LINES, true, twice, logs), "began twice");
  }

  @Test
  void aLineOfNobodyIsRefused() {
    assertThatThrownBy(() -> attempts("a.1 end")).hasMessageContaining("never began");
    assertThatThrownBy(() -> attempts("a.1")).hasMessageContaining("not whole");
  }
}
