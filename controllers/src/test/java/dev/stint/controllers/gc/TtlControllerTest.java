package dev.stint.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.FakeRequest;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TtlControllerTest {
  private final TestWorld world = new TestWorld();
  private final TtlController controller =
      new TtlController(world.api, world.eventLoop, Metrics.NONE);

  private void start() {
    controller.start();
    world.settle();
  }

  private void add(String name, int seconds) {
    world.add(
        TestWorld.job(name), "", "'spec': {'ttlSecondsAfterFinished': %d}".formatted(seconds));
  }

  private void finish(String name, String type) {
    world.api.change(
        TestWorld.job(name),
        """
        {'status': {'conditions': [{'type': '%s', 'status': 'True', 'lastTransitionTime': '%s'}]}}
        """
            .formatted(type, world.now()));
  }

  private boolean deleted(String name) {
    return world.see(TestWorld.job(name)).deletionTimestamp() != null;
  }

  @ParameterizedTest
  @ValueSource(strings = {"Complete", "Failed"})
  void aFinishedJobGoesWhenItsTimeIsOver(String type) {
    add("a", 60);
    start();
    world.pass(Duration.ofMinutes(5));
    finish("a", type);
    world.pass(Duration.ofSeconds(59));
    assertThat(deleted("a")).isFalse();

    world.pass(Duration.ofSeconds(1));
    assertThat(deleted("a")).isTrue();
    assertThat(world.api.requests).containsExactly("delete jobs \"default/a\" FOREGROUND");
  }

  @Test
  void unfinishedJobsAndJobsWithoutATimeToLiveStay() {
    add("running", 0);
    add("all-but-finished", 0);
    finish("all-but-finished", "SuccessCriteriaMet");
    world.add(TestWorld.job("unlimited"), "", "'spec': {}");
    finish("unlimited", "Complete");
    start();
    world.pass(Duration.ofDays(365));

    assertThat(world.api.requests).isEmpty();
  }

  @Test
  void aJobThatExpiredDuringAnOutageIsDeletedAtOnce() {
    add("a", 60);
    finish("a", "Complete");
    world.pass(Duration.ofDays(1));
    start();
    world.pass(Duration.ZERO);
    assertThat(deleted("a")).isTrue();
  }

  @Test
  void aTimeToLiveExtendedAtTheLastMomentHolds() {
    add("a", 60);
    finish("a", "Complete");
    start();
    world.api.holdNews();
    world.api.change(TestWorld.job("a"), "{'spec': {'ttlSecondsAfterFinished': 120}}");
    world.pass(Duration.ofSeconds(119));
    assertThat(deleted("a")).isFalse();

    world.pass(Duration.ofSeconds(1));
    assertThat(deleted("a")).isTrue();
  }

  @Test
  void aShortenedTimeToLiveCountsFromTheEndOfTheJob() {
    add("a", 1000);
    finish("a", "Complete");
    start();
    world.pass(Duration.ofSeconds(100));
    world.api.change(TestWorld.job("a"), "{'spec': {'ttlSecondsAfterFinished': 50}}");
    world.settle();
    world.pass(Duration.ZERO);
    assertThat(deleted("a")).isTrue();
  }

  @Test
  void anotherJobOfTheSameNameIsLeftAlone() {
    add("a", 60);
    finish("a", "Complete");
    start();
    world.api.holdNews();
    world.api.remove(TestWorld.job("a"), dev.stint.cluster.DeleteOptions.Propagation.BACKGROUND);
    add("a", 60);
    world.pass(Duration.ofHours(1));

    assertThat(deleted("a")).isFalse();
  }

  @Test
  void aJobThatIsMadeAgainBeforeItsDeletionArrivesStays() {
    add("a", 60);
    finish("a", "Complete");
    start();
    world.api.before(
        Fault.once(
            "delete jobs",
            () -> {
              world.api.erase(TestWorld.job("a"));
              add("a", 60);
            }));
    world.pass(Duration.ofHours(1));
    assertThat(world.api.requests).isNotEmpty();
    assertThat(deleted("a")).isFalse();
  }

  @Test
  void oneTimerServesAllWaitingJobs() {
    for (int i = 0; i < 100; i++) {
      add("a" + i, 60 + i);
      finish("a" + i, "Complete");
    }
    start();
    assertThat(world.time.armed()).isEqualTo(1);
    world.pass(Duration.ofSeconds(109));
    assertThat(world.api.requests).hasSize(50);
    assertThat(world.time.armed()).isEqualTo(1);
  }

  @Test
  void aFailedDeletionIsRetried() {
    add("a", 60);
    finish("a", "Complete");
    world.api.before(Fault.unavailable(FakeRequest::isWrite));
    start();
    world.pass(Duration.ofSeconds(61));
    assertThat(deleted("a")).isFalse();
    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(deleted("a")).isTrue();
  }
}
