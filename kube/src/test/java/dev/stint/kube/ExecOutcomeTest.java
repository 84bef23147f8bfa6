package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.ClusterException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecOutcomeTest {
  private static int exitCode(String status) {
    return ExecOutcome.exitCode(status.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static String failure(String code) {
    return "{'status':'Failure','message':'command failed','reason':'NonZeroExitCode','details':"
        + "{'causes':[{'reason':'Other','message':'3'},{'reason':'ExitCode','message':'"
        + code
        + "'}]}}";
  }

  @Test
  void aCommandHasItsExitCode() {
    assertThat(exitCode("{'metadata':{},'status':'Success'}")).isZero();
    assertThat(exitCode(failure("1"))).isOne();
    assertThat(exitCode(failure("255"))).isEqualTo(255);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "256", "x", ""})
  void anExitCodeThatNoProcessHasIsAFailure(String code) {
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> exitCode(failure(code)))
        .withMessage("command failed");
  }

  @Test
  void aCommandThatDidNotRunIsAFailureWithItsMessageAlone() {
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() ->
            exitCode(
                "{'status':'Failure','message':'no such program','reason':'InternalError',"
                    + "'details':{'causes':[{'message':'no such program'}]},'code':500}"))
        .withMessage("no such program")
        .satisfies(failure -> assertThat(failure.causes()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"command terminated", "[]", "{", ""})
  void whatIsNoStatusIsAFailure(String text) {
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> exitCode(text))
        .withMessage("the outcome of the command is no Status: " + text);
  }
}
