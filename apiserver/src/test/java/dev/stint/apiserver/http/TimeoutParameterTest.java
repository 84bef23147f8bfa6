package dev.stint.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.stint.apiserver.catalogue.TestCatalogue;
import dev.stint.cluster.ClusterException;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeoutParameterTest {
  @ParameterizedTest
  @ValueSource(strings = {"0", "10s", "1m30.5s", "+1h", "500ms", ".5s"})
  void durations(String text) {
    assertThatCode(() -> TimeoutParameter.check(call(text))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "5 | missing unit in duration \"5\"",
        "1m30 | missing unit in duration \"1m30\"",
        "1. | missing unit in duration \"1.\"",
        "5x | unknown unit \"x\" in duration \"5x\"",
        "1m5 s | unknown unit \" s\" in duration \"1m5 s\"",
        "x | invalid duration \"x\"",
        "- | invalid duration \"-\"",
        ".s | invalid duration \".s\"",
        "1s.s | invalid duration \"1s.s\"",
        "a\"b | invalid duration \"a\\\"b\"",
      })
  void faultsAreInTheWordsOfGo(String text, String fault) {
    assertThat(TimeoutParameter.fault(text)).isEqualTo(fault);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 60000",
    "0, 60000",
    "10s, 10000",
    "500ms, 500",
    ".5s, 500",
    "1m30.5s, 60000",
    "+4s250ms, 4250",
    "-1s, 0",
    "99999999999999999999h, 60000",
    "3 parsecs, 60000",
  })
  void aClientWaitsAsLongAsItSaysAndAMinuteAtMost(String text, long millis) {
    assertThat(TimeoutParameter.atMost(Duration.ofMinutes(1), call(text)).toMillis())
        .isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "5", "1s ", "1.s.", "--1s"})
  void notDurations(String text) {
    refused(text);
  }

  /** Any client may send them before it is authenticated. */
  @Test
  void longTextsAreNotLookedInto() {
    refused("1".repeat(60_000));
    refused("1s".repeat(30_000));
  }

  private static void refused(String text) {
    assertThatCode(() -> TimeoutParameter.check(call(text)))
        .asInstanceOf(InstanceOfAssertFactories.type(ClusterException.class))
        .satisfies(
            refusal -> assertThat(refusal.reason()).isEqualTo(ClusterException.Reason.BAD_REQUEST));
  }

  private static Call call(String timeout) {
    return Call.anonymous(
        TestCatalogue.BUILT_IN,
        "GET",
        "/api/v1/pods",
        "timeout=" + timeout.replace("+", "%2B"),
        _ -> null,
        () -> new byte[0]);
  }
}
