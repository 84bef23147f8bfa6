package dev.stint.runner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
  @Test
  void thePodsPolicyAppliesToContainersWithoutTheirOwn() {
    assertThat(restarts("Never", ContainerRole.MAIN, "{}", 1)).isFalse();
    assertThat(restarts("OnFailure", ContainerRole.MAIN, "{}", 1)).isTrue();
    assertThat(restarts("OnFailure", ContainerRole.MAIN, "{}", 0)).isFalse();
    assertThat(restarts("Always", ContainerRole.MAIN, "{}", 0)).isTrue();
    assertThat(restarts(null, ContainerRole.MAIN, "{}", 0)).isTrue();
  }

  @Test
  void anInitContainerThatIsDoneIsNeverRestarted() {
    assertThat(restarts("Always", ContainerRole.INIT, "{}", 0)).isFalse();
    assertThat(restarts("Always", ContainerRole.INIT, "{}", 1)).isTrue();
    assertThat(restarts("OnFailure", ContainerRole.INIT, "{}", 1)).isTrue();
    assertThat(restarts("Never", ContainerRole.INIT, "{}", 1)).isFalse();
  }

  @Test
  void aSidecarIsAlwaysRestarted() {
    assertThat(restarts("Never", ContainerRole.SIDECAR, "{}", 0)).isTrue();
  }

  @Test
  void theContainersOwnPolicyGoesBeforeThePods() {
    assertThat(restarts("Never", ContainerRole.MAIN, "{'restartPolicy': 'OnFailure'}", 1)).isTrue();
    assertThat(restarts("Always", ContainerRole.MAIN, "{'restartPolicy': 'Never'}", 1)).isFalse();
  }

  @Test
  void exitCodesOfARuleAreRestartedWhateverThePolicy() {
    String in =
        """
        {'restartPolicy': 'Never', 'restartPolicyRules': [{'action': 'Restart',
          'exitCodes': {'operator': 'In', 'values': [42, 43]}}]}
        """;
    assertThat(restarts("Never", ContainerRole.MAIN, in, 43)).isTrue();
    assertThat(restarts("Never", ContainerRole.MAIN, in, 1)).isFalse();
    String notIn = in.replace("'In'", "'NotIn'");
    assertThat(restarts("Never", ContainerRole.MAIN, notIn, 43)).isFalse();
    assertThat(restarts("Never", ContainerRole.MAIN, notIn, 1)).isTrue();
  }

  private static boolean restarts(
      @Nullable String podPolicy, ContainerRole role, String container, int code) {
    return RestartPolicy.mayRestart(
        podPolicy,
        role,
        Json.parse(container.replace('\'', '"')),
        Exit.of(code, null, Instant.EPOCH, Instant.EPOCH));
  }
}
