package dev.stint.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.output.TerminalText;
import dev.stint.harness.JobBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CiMessagesTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:01:30Z");
  private static final JobOutcome FAILED = outcome("Failed", "BackoffLimitExceeded");
  private static final JobOutcome COMPLETE = outcome("Complete", "CompletionsReached");

  private static JobOutcome outcome(String condition, String reason) {
    return JobOutcome.of(
            JobBuilder.named("suite")
                .completions(1)
                .condition(condition, reason, "", Instant.parse("2026-01-31T12:01:30Z"))
                .build())
        .orElseThrow();
  }

  @Test
  void aFailureIsAnAnnotationOnGitHub() {
    CiMessages github = CiMessages.of(Map.of("GITHUB_ACTIONS", "true"));
    assertThat(github.before("suite", FAILED, NOW)).isEmpty();
    assertThat(github.after("suite", FAILED, List.of("pod a: 50%", "  | ::error::no"), NOW))
        .containsExactly(
            "::error title=suite has failed::suite: Failed, more pods failed than its backoffLimit"
                + " allows; 0 of 1 succeeded%0Apod a: 50%25%0A  | ::error::no");
    assertThat(github.after("suite", COMPLETE, List.of(), NOW)).isEmpty();
  }

  @Test
  void aFailureIsASectionOnGitLab() {
    CiMessages gitlab = CiMessages.of(Map.of("GITLAB_CI", "true"));
    assertThat(gitlab.before("suite", FAILED, NOW))
        .singleElement()
        .satisfies(line ->
            assertThat(TerminalText.printed(line))
                .matches("\u001b\\[0Ksection_start:\\d+:stint_suite\r\u001b\\[0Ksuite has failed"));
    assertThat(gitlab.after("suite", FAILED, List.of(), NOW)).hasSize(1);
    assertThat(gitlab.before("suite", COMPLETE, NOW)).isEmpty();
  }

  @Test
  void elsewhereNothingIsAdded() {
    CiMessages none = CiMessages.of(Map.of("CI", "true"));
    assertThat(none.before("suite", FAILED, NOW)).isEmpty();
    assertThat(none.after("suite", FAILED, List.of("a"), NOW)).isEmpty();
  }
}
