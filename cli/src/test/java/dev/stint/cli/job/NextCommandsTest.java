package dev.stint.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class NextCommandsTest {
  private static KubeObject job(String spec, String condition) {
    return KubeObject.of(
        Json.parse(
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"hello"},"spec":{%s},
             "status":{"active":1,"conditions":[%s]}}
            """
                .formatted(spec, condition)));
  }

  private static String condition(String type) {
    return "{\"type\":\"" + type + "\",\"status\":\"True\"}";
  }

  @Test
  void commandsForAFailedJobHaveItsFlags() {
    KubeObject failed = job("\"completionMode\":\"Indexed\"", condition("Failed"));
    assertThat(NextCommands.of(failed, true, " --data d"))
        .containsExactly(
            "stint logs hello --failed --data d", "stint rerun hello --failed --data d");
  }

  @Test
  void aFailingJobNeedsAController() {
    KubeObject failing = job("", condition("FailureTarget"));
    assertThat(NextCommands.of(failing, true, ""))
        .containsExactly("stint logs hello --failed", "stint wait hello");
    assertThat(NextCommands.of(failing, false, ""))
        .containsExactly("stint up, or stint run with its file, because no controller is running");
  }

  @Test
  void aSuspendedJobCanBeResumed() {
    assertThat(NextCommands.of(job("\"suspend\":true", ""), true, ""))
        .containsExactly("stint resume hello");
  }
}
