package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.mirror.AssignmentOptions;
import dev.stint.controllers.mirror.MirrorNames;
import dev.stint.controllers.mirror.MirrorWorker;
import dev.stint.controllers.mirror.WorkerChoice;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.mirror.Mirrored;
import dev.stint.runner.runtime.SimulatedRuntime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that one cluster hands to one of several others. */
class MirrorWorkersTest {
  private static final Duration LOST_AFTER = Duration.ofMinutes(2);
  private static final AssignmentOptions OPTIONS =
      new AssignmentOptions(WorkerChoice.IN_ORDER, LOST_AFTER);

  private final MirrorTestbed bed = new MirrorTestbed(1, 2);
  private final MirrorTestbed.Side manager = bed.manager;
  private final MirrorTestbed.Side first = bed.workers.getFirst();
  private final MirrorTestbed.Side second = bed.workers.get(1);

  MirrorWorkersTest() {
    bed.workers.forEach(
        worker -> worker.node((_, _) -> new SimulatedRuntime.Outcome(Duration.ofMinutes(1), 0)));
    bed.startMirrors(OPTIONS);
  }

  @AfterEach
  void nothingThatWasWrittenWasInvalid() {
    assertThat(manager.ofMirror.refusals).isEmpty();
    bed.workers.forEach(worker -> assertThat(worker.ofMirror.refusals).isEmpty());
  }

  private String worker(String job) {
    return String.valueOf(manager.see(job).annotation(MirrorNames.ASSIGNED));
  }

  @Test
  void aJobRunsOnTheFirstWorkerThatAnswers() {
    bed.handOver("j", "");
    bed.seconds(5);
    assertThat(worker("j")).isEqualTo("w0");
    assertThat(first.has("j")).isTrue();
    assertThat(second.has("j")).isFalse();
    assertThat(first.see("j").annotations()).doesNotContainKey(MirrorNames.ASSIGNED);
    first.leave();
    bed.seconds(30);
    bed.handOver("k", "");
    bed.seconds(5);
    assertThat(worker("k")).isEqualTo("w1");
    assertThat(worker("j")).isEqualTo("w0");
    first.comeBack();
    bed.seconds(100);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(manager.conditions("k")).contains("Complete");
  }

  @Test
  void aSelectorKeepsJobsFromAWorkerAndAJobThatNobodyTakesSaysSo() {
    bed.startMirror(
        List.of(new MirrorWorker("red", first.toMirror, labels -> labels.containsKey("red"), 0)),
        OPTIONS);
    bed.handOver("j", "");
    bed.seconds(10);
    assertThat(manager.mirrored("j")).isEqualTo("NoWorker");
    assertThat(first.list(Kind.JOB)).isEmpty();

    bed.startMirror(
        List.of(
            new MirrorWorker("red", first.toMirror, labels -> labels.containsKey("red"), 0),
            new MirrorWorker("blue", second.toMirror, _ -> true, 0)),
        OPTIONS);
    bed.seconds(100);
    assertThat(worker("j")).isEqualTo("blue");
    assertThat(manager.conditions("j")).contains("Complete");
  }

  @Test
  void aLostWorkerGivesItsJobsBackAndItsCopiesAreRemovedWhenItReturns() {
    bed.handOver("j", "'completions':3");
    bed.seconds(80);
    assertThat(manager.status("j").succeeded()).isEqualTo(1);
    first.leave();
    bed.seconds(100);
    assertThat(worker("j")).isEqualTo("w0");
    assertThat(manager.mirrored("j")).isEqualTo("WorkerUnreachable");
    bed.seconds(60);
    assertThat(worker("j")).isEqualTo("w1");
    assertThat(manager.mirrored("j")).isEqualTo("True");
    assertThat(manager.status("j").succeeded()).isEqualTo(1);
    assertThat(first.has("j")).isTrue();

    first.comeBack();
    bed.seconds(60);
    assertThat(first.has("j")).isFalse();
    assertThat(first.list(Kind.POD)).isEmpty();
    bed.seconds(300);
    assertThat(manager.conditions("j")).contains("Complete");
    JobStatus status = manager.status("j");
    assertThat(status.succeeded()).isEqualTo(3);
    assertThat(status.completionTime()).isEqualTo(second.status("j").completionTime());
    assertThat(manager.list(Kind.EVENT))
        .extracting(event -> Json.text(event.tree(), "reason"))
        .contains("WorkerLost");
  }

  @Test
  void aJobThatMovedIsDeletedWithAllItsCopies() {
    bed.handOver("j", "'completions':9");
    bed.seconds(10);
    first.leave();
    bed.seconds(160);
    assertThat(second.has("j")).isTrue();
    manager.delete("j", Propagation.FOREGROUND);
    bed.seconds(30);
    assertThat(manager.has("j")).isFalse();
    assertThat(second.list(Kind.JOB)).isEmpty();
    first.comeBack();
    bed.seconds(60);
    assertThat(first.list(Kind.JOB)).isEmpty();
    assertThat(first.list(Kind.POD)).isEmpty();
  }

  @Test
  void aJobThatWasHandedOverBeforeThereWereSeveralWorkersStaysWhereItIs() {
    bed.startMirror(second);
    bed.handOver("j", "'completions':2");
    bed.seconds(10);
    String copy = second.see("j").uid();
    bed.startMirrors(OPTIONS);
    bed.seconds(10);
    assertThat(worker("j")).isEqualTo("w1");
    bed.seconds(200);
    assertThat(manager.conditions("j")).contains("Complete");
    assertThat(second.see("j").uid()).isEqualTo(copy);
    assertThat(first.list(Kind.JOB)).isEmpty();
  }

  @Test
  void jobsGoWhereMostIsFreeEvenIfManyComeAtOnce() {
    bed.startMirror(
        List.of(
            new MirrorWorker("w0", first.toMirror, _ -> true, 10),
            new MirrorWorker("w1", second.toMirror, _ -> true, 5)),
        new AssignmentOptions(WorkerChoice.MOST_FREE, LOST_AFTER));
    for (int i = 0; i < 10; i++) {
      bed.handOver("j" + i, "'completions':3,'parallelism':1");
    }
    bed.handOver("large", "'completions':4,'parallelism':9");
    bed.seconds(10);
    assertThat(first.list(Kind.POD).size() - second.list(Kind.POD).size()).isBetween(1, 9);
    assertThat(first.list(Kind.JOB)).hasSizeBetween(6, 9);
    assertThat(second.list(Kind.JOB)).hasSizeBetween(2, 5);
    bed.seconds(240);
    assertThat(manager.list(Kind.JOB))
        .allSatisfy(job -> assertThat(manager.conditions(job.name())).contains("Complete"));
  }

  @Test
  void nobodyLosesJobsByAnOutageOfTheMirror() {
    bed.handOver("j", "'completions':9");
    bed.seconds(10);
    String copy = first.see("j").uid();
    second.leave();
    first.leave();
    bed.seconds(200);
    second.comeBack();
    bed.seconds(60);
    first.comeBack();
    bed.seconds(60);
    assertThat(worker("j")).isEqualTo("w0");
    assertThat(first.see("j").uid()).isEqualTo(copy);
    assertThat(second.has("j")).isFalse();
  }

  /** The clock is ahead of the time that passes, such as after a sleep, and then behind it. */
  @Test
  void aClockThatIsSetLosesNoWorker() {
    Duration[] ahead = {Duration.ZERO};
    bed.clockOfMirror(() -> bed.time.instant().plus(ahead[0]));
    bed.startMirrors(OPTIONS);
    bed.handOver("j", "'completions':9");
    bed.seconds(10);
    first.leave();
    bed.seconds(12);
    ahead[0] = Duration.ofHours(8);
    bed.seconds(60);
    assertThat(manager.mirrored("j")).isEqualTo("WorkerUnreachable");
    assertThat(worker("j")).isEqualTo("w0");
    ahead[0] = Duration.ofHours(-8);
    bed.seconds(70);
    assertThat(worker("j")).isEqualTo("w1");
  }

  @Test
  void aJobThatLosesItsAnnotationsStaysWithItsCopy() {
    first.leave();
    bed.seconds(30);
    bed.handOver("j", "'completions':9");
    bed.seconds(10);
    String copy = second.see("j").uid();
    first.comeBack();
    bed.seconds(30);
    manager.change("j", "{'metadata':{'annotations':null,'finalizers':null}}");
    bed.seconds(30);
    assertThat(worker("j")).isEqualTo("w1");
    assertThat(second.see("j").uid()).isEqualTo(copy);
    assertThat(first.has("j")).isFalse();
  }

  @Test
  void aJobThatLosesItsFinalizerStaysUntilItsWorkerIsLost() {
    bed.handOver("j", "'completions':9");
    bed.seconds(10);
    manager.change("j", "{'metadata':{'finalizers':null}}");
    bed.seconds(10);
    assertThat(Mirrored.mayHaveCopy(manager.see("j"))).isTrue();

    first.leave();
    bed.seconds(10);
    manager.change("j", "{'metadata':{'finalizers':null}}");
    bed.seconds(10);
    String quiet = manager.see("j").resourceVersion();
    bed.seconds(60);
    assertThat(manager.see("j").resourceVersion()).isEqualTo(quiet);
    assertThat(worker("j")).isEqualTo("w0");
    bed.seconds(100);
    assertThat(worker("j")).isEqualTo("w1");
    assertThat(manager.see("j").annotation(MirrorNames.MOVES)).isEqualTo("1");
    assertThat(second.has("j")).isTrue();
  }
}
