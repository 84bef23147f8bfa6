package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
  @Test
  void thePodsPolicyHoldsWhereTheContainerHasNone() {
    assertThat(restarts("Never", Role.MAIN, "{}", 1)).isFalse();
    assertThat(restarts("OnFailure", Role.MAIN, "{}", 1)).isTrue();
    assertThat(restarts("OnFailure", Role.MAIN, "{}", 0)).isFalse();
    assertThat(restarts("Always", Role.MAIN, "{}", 0)).isTrue();
    assertThat(restarts(null, Role.MAIN, "{}", 0)).isTrue();
  }

  @Test
  void anInitContainerThatIsDoneIsNeverRestarted() {
    assertThat(restarts("Always", Role.INIT, "{}", 0)).isFalse();
    assertThat(restarts("Always", Role.INIT, "{}", 1)).isTrue();
    assertThat(restarts("OnFailure", Role.INIT, "{}", 1)).isTrue();
    assertThat(restarts("Never", Role.INIT, "{}", 1)).isFalse();
  }

  @Test
  void aSidecarIsAlwaysRestarted() {
    assertThat(restarts("Never", Role.SIDECAR, "{}", 0)).isTrue();
  }

  @Test
  void theContainersOwnPolicyGoesBeforeThePods() {
    assertThat(restarts("Never", Role.MAIN, "{'restartPolicy': 'OnFailure'}", 1)).isTrue();
    assertThat(restarts("Always", Role.MAIN, "{'restartPolicy': 'Never'}", 1)).isFalse();
  }

  @Test
  void exitCodesThatARuleNamesAreRestartedWhateverThePolicy() {
    String in =
        """
        {'restartPolicy': 'Never', 'restartPolicyRules': [{'action': 'Restart',
          'exitCodes': {'operator': 'In', 'values': [42, 43]}}]}
        """;
    assertThat(restarts("Never", Role.MAIN, in, 43)).isTrue();
    assertThat(restarts("Never", Role.MAIN, in, 1)).isFalse();
    String notIn = in.replace("'In'", "'NotIn'");
    assertThat(restarts("Never", Role.MAIN, notIn, 43)).isFalse();
    assertThat(restarts("Never", Role.MAIN, notIn, 1)).isTrue();
  }

  private static boolean restarts(
      @Nullable String podPolicy, Role role, String container, int code) {
    return RestartPolicy.restarts(
        podPolicy,
        role,
        Json.parse(container.replace('\'', '"')),
        Exit.of(code, null, Instant.EPOCH, Instant.EPOCH));
  }
}
