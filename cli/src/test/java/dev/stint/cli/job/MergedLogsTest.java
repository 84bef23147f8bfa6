package dev.stint.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cli.Recorded;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MergedLogsTest {
  private final Recorded recorded = Recorded.plain();

  private static MergedLogs.Reader log(String... pieces) {
    return out -> {
      for (String piece : pieces) {
        out.write(piece.getBytes(UTF_8));
      }
      out.finish();
    };
  }

  private void merge(MergedLogs logs) throws Exception {
    logs.copyTo(new LinePrefixer(recorded.console().out(), ""), recorded.console());
  }

  @Test
  void linesAreOrderedByTimeHoweverTheyAreSplit() throws Exception {
    MergedLogs logs = new MergedLogs(false);
    logs.add("[0] ", log("2026-01-01T00:00:01Z o", "ne\n2026-01-01T00:00:03.5Z three\n"));
    logs.add("[1] ", log("2026-01-01T00:00:02Z two\n2026-01-01T00:00:03.6Z \n", "and no time"));
    logs.add("[2] ", log());
    merge(logs);
    assertThat(recorded.out())
        .containsExactly("[0] one", "[1] two", "[0] three", "[1] ", "[1] and no time");
  }

  @Test
  void timesAreShownOnRequestAndEqualTimesAreOrderedByAttempt() throws Exception {
    MergedLogs logs = new MergedLogs(true);
    logs.add("[0] ", log("2026-01-01T00:00:01Z a\n"));
    logs.add("[1] ", log("2026-01-01T00:00:01Z b\n"));
    merge(logs);
    assertThat(recorded.out())
        .containsExactly("[0] 2026-01-01T00:00:01Z a", "[1] 2026-01-01T00:00:01Z b");
  }

  @Test
  void anUnreadableLogIsReportedAndTheOthersArePrinted() throws Exception {
    MergedLogs logs = new MergedLogs(false);
    logs.add(
        "[0] ",
        out -> {
          throw new IOException("it is gone");
        });
    logs.add("[1] ", log("2026-01-01T00:00:01Z b\n"));
    merge(logs);
    assertThat(recorded.out()).containsExactly("[1] b");
    assertThat(recorded.err()).containsExactly("stint: [0] it is gone");
  }

  @Test
  void aReaderThatStopsEndsAllLogs() {
    String[] many =
        IntStream.range(0, 1000)
            .mapToObj(i -> "2026-01-01T00:00:01Z line " + i + "\n")
            .toArray(String[]::new);
    MergedLogs logs = new MergedLogs(false);
    logs.add("[0] ", log(many));
    logs.add("[1] ", log(many));
    PrintStream closed =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("closed");
              }
            },
            false,
            UTF_8);
    assertThatExceptionOfType(LinePrefixer.ReaderGone.class)
        .isThrownBy(() -> logs.copyTo(new LinePrefixer(closed, ""), recorded.console()));
  }
}
