package dev.stint.cli.simulate.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cli.output.UserException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptsFileTest {
  private static final String CSV =
      "index,item,attempt,pod,container,state,exit_code,signal,reason,message,started_at,"
          + "finished_at,seconds,log_bytes\n";
  private static final String JOBLOG =
      "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n";

  private static ObservedAttempts read(String text) {
    return AttemptsFile.read("a.txt", text.getBytes(StandardCharsets.UTF_8), Set.of("main"));
  }

  @Test
  void csvTellsStoppedAttemptsApart() {
    ObservedAttempts found =
        read(
            CSV
                + "0,,1,r-0-a,main,failed,3,,Error,\"no such\nfile, \"\"x\"\"\",,,1.250,9\n"
                + "0,,2,r-0-b,main,succeeded,0,,,,,,4.000,0\r\n"
                + "1,,1,r-1-a,main,stopped,143,15,,,,,7.000,0\n"
                + "2,,1,r-2-a,main,running,,,,,,,7.000,0\n");
    assertThat(found.attempts())
        .containsExactly(
            new ObservedAttempt(1, Duration.ofMillis(1250), 3),
            new ObservedAttempt(2, Duration.ofSeconds(4), 0));
    assertThat(found.leftOut()).isEqualTo(2);
  }

  /** A pod was evicted, and its command ended well at the signal. */
  @Test
  void aPodThatFailedAsAWholeIsNoSuccess() {
    ObservedAttempts found = read(CSV + "0,,1,r-0-a,main,failed,0,,Evicted,,,,1.250,9\n");
    assertThat(found.attempts()).isEmpty();
    assertThat(found.leftOut()).isEqualTo(1);
  }

  @Test
  void attemptsWithoutAnIndexAreFirstOnes() {
    assertThat(read(CSV + ",,7,r-x,main,succeeded,0,,,,,,2.000,\n").attempts())
        .containsExactly(new ObservedAttempt(1, Duration.ofSeconds(2), 0));
  }

  @Test
  void attemptsOfAJobLogAreNumberedByTheirStarts() {
    ObservedAttempts found =
        read(
            JOBLOG
                + "1\t:\t1700000009.000\t     2.500\t0\t0\t0\t0\tgzip a\n"
                + "1\t:\t1700000001.000\t     0.500\t0\t0\t1\t0\tgzip a\n"
                + "2\t:\t1700000002.000\t     1.000\t0\t0\t0\t9\tgzip b\n"
                + "3\t:\t1700000003.000\t     1.000\t0\t0\t0\t15\tgzip c\n");
    assertThat(found.attempts())
        .containsExactly(
            new ObservedAttempt(1, Duration.ofMillis(500), 1),
            new ObservedAttempt(1, Duration.ofSeconds(1), 137),
            new ObservedAttempt(2, Duration.ofMillis(2500), 0));
    assertThat(found.leftOut()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: Job|a.txt:1: neither a job log nor CSV",
        "Seq;Host/1;:|a.txt:2: has 2 columns, a job log has nine",
        "Seq;Host/1;:;x;1;0;0;0;0;c|a.txt:2: Starttime: \"x\" is not a number of seconds",
        "Seq;Host/1;:;1;1;0;0;x;0;c|a.txt:2: Exitval: \"x\" is not a number",
      })
  void otherFilesAreRefused(String text, String message) {
    assertThatThrownBy(() -> read(text.replace(';', '\t').replace('/', '\n')))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }

  @Test
  void faultyRecordsAreNamed() {
    assertThatThrownBy(() -> read(CSV + "1,2\n"))
        .hasMessage("a.txt: record 2 has 2 fields, its header 14");
    assertThatThrownBy(() -> read(CSV + "0,,1,r,main,failed,3,,,,,,soon,\n"))
        .hasMessage("a.txt: record 2: seconds: \"soon\" is not a number of seconds");
    assertThatThrownBy(() -> read(CSV + "0,,1,\"r,main,failed,3,,,,,,1,\n"))
        .hasMessageContaining("a.txt: line 2: a quote of this record is not closed");
  }
}
