package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptsExportTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.250Z");

  private static ContainerAttemptView attempt(
      int index, @Nullable String item, int code, @Nullable Integer signal, String message) {
    return ContainerAttemptView.unnumbered(index, "pod-" + index, "main", 0)
        .withNumber(1)
        .withStart(START)
        .withEnd(code, signal, "", message, START.plusMillis(1500))
        .withLogBytes(7)
        .withItem(item);
  }

  @Test
  void commaSeparatedValuesAreQuotedWhereNeeded() {
    assertThat(
            AttemptsExport.csv(List.of(attempt(3, "a,\"b\"", 137, 9, "one\ntwo")), Instant.EPOCH))
        .containsExactly(
            "index,item,attempt,pod,container,state,exit_code,signal,reason,message,started_at,"
                + "finished_at,seconds,log_bytes",
            "3,\"a,\"\"b\"\"\",1,pod-3,main,failed,137,9,,\"one\ntwo\",2026-01-01T00:00:00Z,"
                + "2026-01-01T00:00:01Z,1.500,7");
  }

  @Test
  void theJobLogIsThatOfGnuParallel() {
    KubeObject job =
        KubeObject.of(
            Json.parse(
                """
                {"spec": {"template": {"spec": {"containers": [
                  {"name": "main", "command": ["sh", "-c", "a\\n$$(b)"]}]}}}}
                """));
    assertThat(
            AttemptsExport.joblog(
                List.of(
                    attempt(0, null, 3, null, ""),
                    attempt(1, null, 137, 9, ""),
                    attempt(2, null, 0, null, "evicted").withState(State.FAILED)),
                job,
                Optional.empty()))
        .containsExactly(
            "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand",
            "1\t:\t1767225600.250\t     1.500\t0\t7\t3\t0\tsh -c 'a\0$(b)'",
            "2\t:\t1767225600.250\t     1.500\t0\t7\t0\t9\tsh -c 'a\0$(b)'",
            "3\t:\t1767225600.250\t     1.500\t0\t7\t1\t0\tsh -c 'a\0$(b)'");
  }
}
