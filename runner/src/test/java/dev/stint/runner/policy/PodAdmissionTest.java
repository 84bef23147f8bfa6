package dev.stint.runner.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.ResourceAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PodAdmissionTest {
  private final PodAdmission<String> admission =
      new PodAdmission<>(4, PodAdmission.UNLIMITED, new ResourceAmount(4000, 1000));

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
    admission.take("left", "ns", new ResourceAmount(5000, 0));
    await("asks", 1, 0);
    assertThat(admitted()).isEmpty();
    admission.release("left");
    assertThat(admitted()).containsExactly("asks");
  }

  @Test
  void aPodWithoutRequestsFitsOnAFullMachine() {
    admission.take("left", "ns", new ResourceAmount(5000, 5000));
    await("modest", 0, 0);
    assertThat(admitted()).containsExactly("modest");
  }

  @Test
  void aWithdrawnPodBlocksNoOther() {
    await("large", 4000, 0);
    await("small", 1000, 0);
    admission.take("running", "ns", new ResourceAmount(1000, 0));
    admission.withdraw("large");
    assertThat(admitted()).containsExactly("small");
  }

  private void await(String pod, long milliCpu, int priority) {
    admission.enqueue(pod, "ns", new ResourceAmount(milliCpu, 0), priority);
  }

  @Test
  void aPodThatTheNodeDoesNotTakeBlocksNoOther() {
    PodAdmission<String> admission =
        new PodAdmission<>(2, PodAdmission.UNLIMITED, new ResourceAmount(1000, 0));
    for (String pod : List.of("kept out", "welcome", "too large")) {
      admission.enqueue(pod, "ns", new ResourceAmount(600, 0), 0);
    }
    Predicate<String> welcome = pod -> !pod.equals("kept out");
    assertThat(admission.admit(welcome)).isEqualTo("welcome");
    assertThat(admission.admit(welcome)).isNull();
    assertThat(admission.next(welcome)).isEqualTo("too large");
    assertThat(admission.lacksResources("too large")).isTrue();
    assertThat(admission.waiting(1)).containsExactly("kept out");
  }

  /** Else each admission would ask about all unwelcome pods, of which there may be thousands. */
  @Test
  void aPodIsFoundUnwelcomeOnce() {
    for (int i = 0; i < 100; i++) {
      await("no" + i, 0, 0);
    }
    for (int i = 0; i < 50; i++) {
      await("yes" + i, 0, 0);
    }
    List<String> asked = new ArrayList<>();
    Predicate<String> welcome =
        pod -> {
          asked.add(pod);
          return pod.startsWith("yes");
        };
    for (int i = 0; i < 50; i++) {
      String pod = admission.admit(welcome);
      assertThat(pod).isEqualTo("yes" + i);
      admission.release("yes" + i);
    }
    assertThat(asked).hasSize(150);
    assertThat(admission.waiting(200)).hasSize(100);
  }

  @Test
  void anUnwelcomePodHasItsPlaceAgainOnceItIsReconsidered() {
    for (String pod : List.of("a", "b", "c", "d")) {
      await(pod, 4000, 0);
    }
    assertThat(admission.next(pod -> pod.equals("d"))).isEqualTo("d");
    assertThat(admission.next(_ -> true)).isEqualTo("d");
    admission.reconsider("b");
    assertThat(admission.next(_ -> true)).isEqualTo("b");
    admission.reconsider();
    assertThat(admission.next(_ -> true)).isEqualTo("a");
  }

  @Test
  void anUnwelcomePodThatGoesDoesNotComeBack() {
    await("a", 0, 0);
    await("b", 0, 0);
    assertThat(admission.next(pod -> pod.equals("b"))).isEqualTo("b");
    admission.withdraw("a");
    admission.reconsider("a");
    admission.reconsider();
    assertThat(admitted()).containsExactly("b");
  }

  private void await(String namespace, int pods) {
    for (int i = 0; i < pods; i++) {
      admission.enqueue(namespace + i, namespace, ResourceAmount.NONE, 0);
    }
  }

  @Test
  void roomGoesToTheNamespaceThatRunsTheFewestPods() {
    await("mine", 6);
    assertThat(admitted()).containsExactly("mine0", "mine1", "mine2", "mine3");
    await("yours", 3);
    await("hers", 1);
    admission.release("mine0");
    assertThat(admission.next(_ -> true)).isEqualTo("yours0");
    assertThat(admitted()).containsExactly("yours0");
    admission.release("mine1");
    admission.release("mine2");
    assertThat(admitted()).as("one each; then the older of two").containsExactly("hers0", "mine4");
    admission.release("yours0");
    assertThat(admitted()).containsExactly("yours1");
  }

  @Test
  void podsLeftByAnEarlierLifeCountForTheirNamespace() {
    admission.take("left", "mine", ResourceAmount.NONE);
    await("mine", 2);
    await("yours", 1);
    assertThat(admitted()).containsExactly("yours0", "mine0", "mine1");
  }

  /** Otherwise the small pods of a namespace that runs fewer would always go first. */
  @Test
  void aLargePodKeepsItsTurnHoweverFewPodsOtherNamespacesRun() {
    admission.take("long", "mine", new ResourceAmount(1000, 0));
    admission.take("short", "yours", new ResourceAmount(1000, 0));
    admission.enqueue("large", "mine", new ResourceAmount(3000, 0), 0);
    assertThat(admitted()).isEmpty();
    await("yours", 3);
    admission.release("short");
    assertThat(admission.next(_ -> true)).isEqualTo("large");
    assertThat(admitted()).containsExactly("large", "yours0", "yours1");
  }

  /** Otherwise a namespace could stop all others for good by a pod that never ends. */
  @Test
  void aPodThatItsOwnNamespaceHoldsUpHoldsUpNoOther() {
    admission.take("long", "mine", new ResourceAmount(1000, 0));
    admission.enqueue("large", "mine", new ResourceAmount(4000, 0), 0);
    await("mine", 1);
    assertThat(admission.next(_ -> true)).isEqualTo("large");
    assertThat(admitted()).as("its own namespace waits").isEmpty();
    await("yours", 2);
    assertThat(admitted()).containsExactly("yours0", "yours1");
    admission.enqueue("huge", "yours", new ResourceAmount(3500, 0), 0);
    assertThat(admitted()).as("it has its turn").isEmpty();
    await("hers", 1);
    assertThat(admitted()).as("it waits for the other namespace").isEmpty();
    admission.release("long");
    assertThat(admitted()).containsExactly("huge");
    admission.release("huge");
    assertThat(admitted()).containsExactly("large", "hers0");
  }

  @Test
  void podsOfLowerPrioritiesDoNotOvertakeAPodOfTheirNamespaceThatItHoldsUp() {
    admission.take("long", "mine", new ResourceAmount(1000, 0));
    admission.enqueue("large", "mine", new ResourceAmount(4000, 0), 7);
    await("mine", 1);
    assertThat(admitted()).isEmpty();
    await("yours", 1);
    assertThat(admitted()).containsExactly("yours0");
    admission.release("yours0");
    admission.release("long");
    assertThat(admitted()).containsExactly("large", "mine0");
  }

  @Test
  void aPodLosesItsTurnIfItsNamespaceTakesItsRoom() {
    admission.take("short", "yours", new ResourceAmount(4000, 0));
    admission.enqueue("large", "mine", new ResourceAmount(4000, 0), 0);
    assertThat(admitted()).as("it has its turn").isEmpty();
    admission.enqueue("urgent", "mine", new ResourceAmount(1000, 0), 7);
    admission.enqueue("modest", "yours", new ResourceAmount(2000, 0), 0);
    admission.release("short");
    assertThat(admitted()).containsExactly("urgent", "modest");
  }

  @Test
  void higherPrioritiesGoBeforeAPodThatKeepsItsTurn() {
    admission.take("long", "mine", new ResourceAmount(2000, 0));
    await("large", 4000, 0);
    assertThat(admitted()).isEmpty();
    await("important", 1000, 5);
    assertThat(admitted()).containsExactly("important");
    admission.withdraw("large");
    await("small", 1000, 0);
    assertThat(admitted()).containsExactly("small");
  }

  @Test
  void podsBeyondTheLimitOfTheirNamespaceWaitAndHoldUpNoOther() {
    PodAdmission<String> limited = new PodAdmission<>(4, 2, new ResourceAmount(1000, 0));
    for (String pod : List.of("mine0", "mine1", "mine2")) {
      limited.enqueue(pod, "mine", ResourceAmount.NONE, 7);
    }
    limited.enqueue("yours", "yours", ResourceAmount.NONE, 0);
    assertThat(admitted(limited)).containsExactly("mine0", "mine1", "yours");
    assertThat(limited.next(_ -> true)).isNull();
    limited.release("mine1");
    assertThat(admitted(limited)).containsExactly("mine2");
  }

  @Test
  void theFirstPodsAreListedInTurnsOfTheirNamespaces() {
    await("mine", 3);
    await("yours", 1);
    await("urgent", 0, 5);
    assertThat(admission.waiting(4)).containsExactly("urgent", "mine0", "yours0", "mine1");
    assertThat(admission.waiting(9)).hasSize(5);
  }

  private List<String> admitted() {
    return admitted(admission);
  }

  private static List<String> admitted(PodAdmission<String> admission) {
    List<String> admitted = new ArrayList<>();
    for (String pod = admission.admit(_ -> true); pod != null; pod = admission.admit(_ -> true)) {
      admitted.add(pod);
    }
    return admitted;
  }
}
