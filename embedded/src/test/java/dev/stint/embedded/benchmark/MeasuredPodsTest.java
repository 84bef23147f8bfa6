package dev.stint.embedded.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class MeasuredPodsTest {
  private final TestWorld world = new TestWorld();
  private final KubeObject job = world.api.add(JobBuilder.indexed("j").completions(1));
  private final KubeObject pod = PodBuilder.of(job, "j-0-abcde").index(0).build();

  @Test
  void podsOfItsJobsRun() {
    MeasuredPods pods = new MeasuredPods("default");
    assertThat(pods.add(job)).isFalse();
    assertThat(pods.test(pod)).isTrue();
  }

  @Test
  void podsOfOthersDoNot() {
    KubeObject other = world.api.add(JobBuilder.indexed("other").completions(1));
    KubeObject alone = world.add(TestWorld.pod("j-0-fghij"), "");
    MeasuredPods pods = new MeasuredPods("default");
    pods.add(job);
    assertThat(pods.test(PodBuilder.of(other, "j-0-klmno").index(0).build())).isFalse();
    assertThat(pods.test(alone)).isFalse();
  }

  @Test
  void podsOfAnotherNamespaceDoNot() {
    MeasuredPods pods = new MeasuredPods("elsewhere");
    pods.add(job);
    assertThat(pods.test(pod)).isFalse();
  }

  @Test
  void aPodThatIsSeenBeforeTheAnswerAboutItsJobIsLookedAtAgain() {
    MeasuredPods pods = new MeasuredPods("default");
    assertThat(pods.test(pod)).isFalse();
    assertThat(pods.add(job)).isTrue();
    assertThat(pods.test(pod)).isTrue();
    assertThat(pods.add(job)).as("nothing was passed over since").isFalse();
  }
}
