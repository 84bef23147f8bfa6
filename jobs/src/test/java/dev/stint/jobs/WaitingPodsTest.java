package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.PodAttempts;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingPodsTest {
  private static final String CREATING = "'containerStatuses':[{'name':'main','state':{'waiting':";

  private final List<KubeObject> events =
      List.of(
          event("a", "Warning", "FailedMount", "2026-01-01T00:00:02Z", "secret missing"),
          event("a", "Warning", "FailedMount", "2026-01-01T00:00:01Z", "config map missing"),
          event("b", "Warning", "BackOff", "2026-01-01T00:00:03Z", "back-off"),
          event("c", "Warning", "FailedMount", "2026-01-01T00:00:03Z", "other"));

  @Test
  void anAttemptThatWaitsForAVolumeHasTheMessageOfTheLastEvent() {
    assertThat(why(pod("a", CREATING + "{'reason':'ContainerCreating'}}}]")))
        .containsExactly("ContainerCreating: secret missing");
    assertThat(why(pod("b", CREATING + "{'reason':'ContainerCreating'}}}]")))
        .containsExactly("ContainerCreating");
  }

  @Test
  void otherAttemptsAreUnchanged() {
    String error = "{'reason':'CreateContainerConfigError','message':'no key'}}}]";
    List<ContainerAttemptView> waiting = PodAttempts.of(pod("a", CREATING + error));
    String running = "'containerStatuses':[{'name':'main','state':{'running':{}}}]";
    assertThat(explainedWithoutEvents(waiting)).isEqualTo(waiting);
    List<ContainerAttemptView> runs = PodAttempts.of(pod("a", running));
    assertThat(explainedWithoutEvents(runs)).isEqualTo(runs);
  }

  private List<String> why(KubeObject pod) {
    return WaitingPods.explained(PodAttempts.of(pod), () -> events).stream()
        .map(ContainerAttemptView::explanation)
        .toList();
  }

  private static List<ContainerAttemptView> explainedWithoutEvents(
      List<ContainerAttemptView> attempts) {
    return WaitingPods.explained(
        attempts,
        () -> {
          throw new AssertionError("asks for events in vain");
        });
  }

  private static KubeObject pod(String name, String status) {
    return PodBuilder.named(name).status(status).build();
  }

  private static KubeObject event(
      String pod, String type, String reason, String at, String message) {
    return object(
        ("{'kind':'Event','involvedObject':{'kind':'Pod','name':'%s'},'type':'%s','reason':'%s',"
                + "'lastTimestamp':'%s','message':'%s'}")
            .formatted(pod, type, reason, at, message));
  }

  private static KubeObject object(String text) {
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }
}
