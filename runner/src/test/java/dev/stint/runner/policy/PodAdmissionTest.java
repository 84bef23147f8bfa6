package dev.stint.runner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.ResourceAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PodAdmissionTest {
  private final PodAdmission<String> admission =
      new PodAdmission<>(4, new ResourceAmount(4000, 1000));

  @Test
  void podsRunFirstInFirstOutAsLongAsTheyFit() {
    await("a", 2000, 0);
    await("b", 2000, 0);
    await("c", 1000, 0);
    assertThat(admitted()).containsExactly("a", "b");
    admission.release("a");
    assertThat(admitted()).containsExactly("c");
  }

  @Test
  void aLargePodThatIsNextLetsNoSmallOneOvertake() {
    await("small", 1000, 0);
    await("large", 4000, 0);
    await("tiny", 100, 0);
    assertThat(admitted()).containsExactly("small");
    admission.release("small");
    assertThat(admitted()).containsExactly("large");
    admission.release("large");
    assertThat(admitted()).containsExactly("tiny");
  }

  @Test
  void higherPrioritiesGoFirstAndHoldBackLowerOnesUntilTheyFit() {
    await("low", 1000, 0);
    await("negative", 1000, -5);
    await("high", 4000, 10);
    assertThat(admitted()).containsExactly("high");
    await("higher", 4000, 20);
    admission.release("high");
    assertThat(admitted()).containsExactly("higher");
    admission.release("higher");
    assertThat(admitted()).containsExactly("low", "negative");
  }

  @Test
  void thereAreNeverMorePodsThanAllowed() {
    for (int i = 0; i < 6; i++) {
      await("pod-" + i, 0, 0);
    }
    assertThat(admitted()).hasSize(4);
    assertThat(admission.running()).isEqualTo(4);
    admission.release("pod-2");
    assertThat(admitted()).containsExactly("pod-4");
  }

  @Test
  void runningPodsCountEvenBeyondTheLimits() {
    admission.take("left", new ResourceAmount(5000, 0));
    await("asks", 1, 0);
    assertThat(admitted()).isEmpty();
    admission.release("left");
    assertThat(admitted()).containsExactly("asks");
  }

  @Test
  void aPodWithoutRequestsFitsOnAFullMachine() {
    admission.take("left", new ResourceAmount(5000, 5000));
    await("modest", 0, 0);
    assertThat(admitted()).containsExactly("modest");
  }

  @Test
  void aWithdrawnPodBlocksNoOther() {
    await("large", 4000, 0);
    await("small", 1000, 0);
    admission.take("running", new ResourceAmount(1000, 0));
    admission.withdraw("large");
    assertThat(admitted()).containsExactly("small");
  }

  private void await(String pod, long milliCpu, int priority) {
    admission.enqueue(pod, new ResourceAmount(milliCpu, 0), priority);
  }

  @Test
  void aPodThatTheNodeDoesNotTakeBlocksNoOther() {
    PodAdmission<String> admission = new PodAdmission<>(2, new ResourceAmount(1000, 0));
    for (String pod : List.of("kept out", "welcome", "too large")) {
      admission.enqueue(pod, new ResourceAmount(600, 0), 0);
    }
    Predicate<String> welcome = pod -> !pod.equals("kept out");
    assertThat(admission.admit(welcome)).isEqualTo("welcome");
    assertThat(admission.admit(welcome)).isNull();
    assertThat(admission.next(welcome)).isEqualTo("too large");
    assertThat(admission.lacksResources("too large")).isTrue();
    assertThat(admission.waiting(1)).containsExactly("kept out");
  }

  private List<String> admitted() {
    List<String> admitted = new ArrayList<>();
    for (String pod = admission.admit(_ -> true); pod != null; pod = admission.admit(_ -> true)) {
      admitted.add(pod);
    }
    return admitted;
  }
}
