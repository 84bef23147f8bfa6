package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventAggregatorTest {
  private final TestWorld world = new TestWorld();
  private final EventAggregator events =
      new EventAggregator(new EventRecorder(world.api, world.time, "test"), world.eventLoop);
  private final KubeObject job = world.api.add(JobBuilder.named("j"));

  private int created;

  private void create(int pods) {
    List<String> names =
        IntStream.range(created, created + pods).mapToObj(number -> "p" + number).toList();
    created += pods;
    events.eventNaming(job, "SuccessfulCreate", "Created pod", names);
  }

  private List<String> told() {
    world.settle();
    return world.api.peekAll(Kind.EVENT).stream()
        .map(event -> String.valueOf(Json.text(event.tree(), "message")))
        .toList();
  }

  @Test
  void theFirstIsToldAtOnceByName() {
    create(1);
    assertThat(told()).containsExactly("Created pod: p0");
  }

  @Test
  void ofManyTheFirstFewAreNamed() {
    create(0);
    create(7);
    assertThat(told()).containsExactly("Created pods: p0, p1, p2, p3, p4 and 2 more");
  }

  @Test
  void whatFollowsSoonIsToldTogether() {
    create(1);
    create(2);
    create(10);
    assertThat(told()).hasSize(1);
    world.pass(Duration.ofSeconds(1));
    assertThat(told()).last().isEqualTo("Created pods: p1, p2, p3, p4, p5 and 7 more");
  }

  @Test
  void theGapsDouble() {
    for (int tenths = 0; tenths < 600; tenths++) {
      create(1);
      world.pass(Duration.ofMillis(100));
    }
    assertThat(told()).hasSize(6); // After 0, 1, 3, 7, 15 and 31 seconds.
  }

  @Test
  void whatHappensSeldomIsToldAtOnce() {
    create(1);
    create(1);
    world.pass(Duration.ofSeconds(10));
    create(1);
    assertThat(told()).hasSize(3);
    world.pass(Duration.ofSeconds(1));
    create(1);
    assertThat(told()).hasSize(4);
  }

  @Test
  void anotherEventComesAfterWhatWaits() {
    create(1);
    create(2);
    events.event(job, false, "Completed", "Job completed");
    assertThat(told()).containsExactly("Created pod: p0", "Created pods: p1, p2", "Job completed");
    world.pass(Duration.ofMinutes(5));
    assertThat(told()).hasSize(3);
  }

  @Test
  void whatWaitsAboutADeletedObjectIsTold() {
    create(1);
    create(2);
    events.forget(job.uid());
    assertThat(told()).hasSize(2);
    world.pass(Duration.ofMinutes(5));
    assertThat(told()).hasSize(2);
  }

  @Test
  void whatWaitsIsToldAtTheEnd() {
    create(1);
    create(2);
    events.close();
    assertThat(told()).containsExactly("Created pod: p0", "Created pods: p1, p2");
    world.pass(Duration.ofMinutes(5));
    assertThat(told()).hasSize(2);
  }

  @Test
  void theEndTellsOnlySoMuch() {
    for (int number = 0; number < 150; number++) {
      KubeObject other = world.api.add(JobBuilder.named("j" + number));
      events.eventNaming(other, "SuccessfulCreate", "Created pod", List.of("first"));
      events.eventNaming(other, "SuccessfulCreate", "Created pod", List.of("second"));
    }
    assertThat(told()).hasSize(150);
    events.close();
    assertThat(told()).hasSize(250);
  }
}
