package dev.stint.controllers.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.mirror.AssignmentStep.Assign;
import dev.stint.controllers.mirror.AssignmentStep.Keep;
import dev.stint.controllers.mirror.AssignmentStep.Move;
import dev.stint.controllers.mirror.AssignmentStep.Refuse;
import dev.stint.controllers.mirror.MirrorProblem.Reason;
import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerAssignmentTest {
  private static final Instant NOW = MirrorFixtures.NOW;
  private static final AssignmentOptions OPTIONS = AssignmentOptions.DEFAULT;
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(1));
  private static final Instant START = NOW.minusSeconds(60);

  private static final WorkerState EAST = worker("east", null);
  private static final WorkerState WEST = worker("west", null);

  private static WorkerState worker(String name, @Nullable Instant awaySince) {
    return free(name, 0, awaySince);
  }

  private static WorkerState away(String name, int minutes) {
    return worker(name, NOW.minus(Duration.ofMinutes(minutes)));
  }

  /** Returns a worker that takes only Jobs of one team. */
  private static WorkerState of(String team, String name) {
    return new WorkerState(
        name, labels -> team.equals(labels.get("team")), "cluster-" + name, START, 0, true, null);
  }

  private static AssignmentStep next(KubeObject job, WorkerState... workers) {
    return since(LONG_AGO, job, workers);
  }

  private static AssignmentStep since(Instant start, KubeObject job, WorkerState... workers) {
    return new WorkerAssignment(List.of(workers), OPTIONS, start, NOW)
        .next(job, CopySearch.NOTHING);
  }

  private static KubeObject job() {
    return new Existing().build();
  }

  private static KubeObject copiedTo(String worker) {
    return new Existing().assigned(worker).held().recorded("cluster-" + worker).build();
  }

  /** A Job of the manager, whatever was written to it. */
  private static final class Existing {
    private final JobBuilder job =
        JobBuilder.named("j").uid("job-1").metadata("'resourceVersion':'1'");

    Existing assigned(String worker) {
      job.annotation(MirrorNames.ASSIGNED, worker);
      return this;
    }

    Existing recorded(String cluster) {
      job.annotation(MirrorNames.COPY, "copy-1").annotation(MirrorNames.WORKER, cluster);
      return this;
    }

    Existing held() {
      job.finalizers(MirrorNames.FINALIZER);
      return this;
    }

    Existing team(String team) {
      job.label("team", team);
      return this;
    }

    Existing deleted() {
      job.metadata("'resourceVersion':'1','deletionTimestamp':'2026-01-01T11:59:00Z'");
      return this;
    }

    KubeObject build() {
      return job.build();
    }
  }

  private static String worker(AssignmentStep step) {
    return switch (step) {
      case Assign(String worker, long _) -> "assign " + worker;
      case Move(String worker, String _) -> "move " + worker;
      case Keep(Instant until) -> "keep " + until;
      case Refuse(MirrorProblem problem, Instant _) -> "refuse " + problem.reason();
    };
  }

  @Test
  void aNewJobGoesToTheFirstWorkerThatCanBeUsed() {
    assertThat(next(job(), EAST, WEST)).isEqualTo(new Assign("east", 0));
    assertThat(next(job(), away("east", 1), WEST)).isEqualTo(new Assign("west", 0));
  }

  @Test
  void aWorkerWithASelectorTakesOnlyMatchingJobs() {
    KubeObject red = new Existing().team("red").build();
    assertThat(next(red, of("blue", "b"), of("red", "r"), WEST)).isEqualTo(new Assign("r", 0));
    assertThat(next(job(), of("blue", "b"), WEST)).isEqualTo(new Assign("west", 0));
  }

  private static WorkerState free(String name, int pods, @Nullable Instant awaySince) {
    return new WorkerState(
        name, _ -> true, "cluster-" + name, LONG_AGO, pods, awaySince == null, awaySince);
  }

  @Test
  void aNewJobMayGoWhereMostIsFree() {
    AssignmentOptions mostFree = new AssignmentOptions(WorkerChoice.MOST_FREE, OPTIONS.lostAfter());
    List<WorkerState> workers =
        List.of(free("a", 2, null), free("b", 5, null), free("c", 5, null), free("d", 9, NOW));
    WorkerAssignment assignment = new WorkerAssignment(workers, mostFree, START, NOW);
    assertThat(assignment.next(job(), CopySearch.NOTHING)).isEqualTo(new Assign("b", 0));
    List<WorkerState> overbooked = List.of(free("a", -7, null), free("b", -2, null));
    assertThat(
            new WorkerAssignment(overbooked, mostFree, START, NOW).next(job(), CopySearch.NOTHING))
        .isEqualTo(new Assign("b", 0));
  }

  @Test
  void aJobThatNobodyTakesHearsWhy() {
    AssignmentStep step = next(job(), away("east", 1), of("blue", "b"));
    assertThat(worker(step)).isEqualTo("refuse " + Reason.NoWorker);
    assertThat(((Refuse) step).problem().message())
        .contains("east cannot be used", "b does not take its labels");
  }

  @Test
  void aJobStaysWithItsWorkerWhateverOthersAre() {
    assertThat(next(copiedTo("west"), EAST, WEST)).isEqualTo(new Keep(null));
  }

  @Test
  void aWorkerThatIsAwayKeepsItsJobsUntilItIsLost() {
    KubeObject job = copiedTo("east");
    assertThat(next(job, away("east", 14), WEST)).isEqualTo(new Keep(NOW.plusSeconds(60)));
    AssignmentStep step = next(job, away("east", 15), WEST);
    assertThat(worker(step)).isEqualTo("move west");
    assertThat(((Move) step).message()).contains("worker east", "2026-01-01T11:45:00Z", "west");
  }

  @Test
  void aJobOfALostWorkerStaysIfNobodyElseTakesIt() {
    assertThat(next(copiedTo("east"), away("east", 60))).isEqualTo(new Keep(null));
    assertThat(next(copiedTo("east"), away("east", 60), away("west", 1), of("blue", "b")))
        .isEqualTo(new Keep(null));
  }

  @Test
  void aJobThatCannotHaveACopyMovesAtOnce() {
    KubeObject fresh = new Existing().assigned("east").build();
    assertThat(worker(next(fresh, away("east", 1), WEST))).isEqualTo("assign west");
    KubeObject held = new Existing().assigned("east").held().build();
    assertThat(next(held, away("east", 1), WEST)).isEqualTo(new Keep(NOW.plusSeconds(14 * 60)));
  }

  @Test
  void aJobWhoseCopyIsRecordedStaysThoughItLostItsFinalizer() {
    KubeObject job = new Existing().assigned("east").recorded("cluster-east").build();
    assertThat(next(job, away("east", 1), WEST)).isEqualTo(new Keep(NOW.plusSeconds(14 * 60)));
    assertThat(worker(next(job, away("east", 15), WEST))).isEqualTo("move west");
  }

  @Test
  void aJobThatIsDeletedWaitsForItsWorker() {
    KubeObject deleted =
        new Existing().assigned("east").held().recorded("cluster-east").deleted().build();
    assertThat(next(deleted, away("east", 60), WEST)).isEqualTo(new Keep(null));
    assertThat(next(new Existing().deleted().build(), EAST)).isEqualTo(new Keep(null));
    assertThat(next(new Existing().held().deleted().build(), EAST))
        .isEqualTo(new Assign("east", 0));
  }

  @Test
  void aJobFromBeforeThereWereSeveralWorkersStaysWhereItsCopyIs() {
    KubeObject job = new Existing().held().recorded("cluster-west").build();
    assertThat(next(job, EAST, WEST)).isEqualTo(new Assign("west", 0));
  }

  @Test
  void aWorkerMayGetAnotherName() {
    KubeObject job = new Existing().assigned("old").held().recorded("cluster-west").build();
    assertThat(next(job, EAST, WEST)).isEqualTo(new Assign("west", 0));
  }

  @Test
  void aWorkerThatTheMirrorWasNotGivenIsAwaySinceItsStart() {
    KubeObject job = copiedTo("north");
    AssignmentStep step = since(START, job, EAST, WEST);
    assertThat(worker(step)).isEqualTo("refuse " + Reason.OtherWorker);
    assertThat(((Refuse) step).until()).isEqualTo(START.plus(OPTIONS.lostAfter()));
    assertThat(((Refuse) step).problem().message()).contains("no worker north", "restart it");
    WorkerAssignment later =
        new WorkerAssignment(List.of(EAST), OPTIONS, START, START.plus(OPTIONS.lostAfter()));
    assertThat(worker(later.next(job, CopySearch.NOTHING))).isEqualTo("move east");
  }

  @Test
  void nothingIsLostWhileNoWorkerCouldBeUsed() {
    Instant back = NOW.minusSeconds(10);
    WorkerAssignment assignment =
        new WorkerAssignment(List.of(away("east", 60), WEST), OPTIONS, back, NOW);
    assertThat(assignment.next(copiedTo("east"), CopySearch.NOTHING))
        .isEqualTo(new Keep(back.plus(OPTIONS.lostAfter())));
  }

  @Test
  void aWorkerThatRefusesTheMirrorKeepsItsJobsAndGetsNone() {
    WorkerState refusing =
        new WorkerState("east", _ -> true, "cluster-east", LONG_AGO, 0, false, null);
    assertThat(next(copiedTo("east"), refusing, WEST)).isEqualTo(new Keep(null));
    assertThat(next(job(), refusing, WEST)).isEqualTo(new Assign("west", 0));
  }

  @Test
  void theClusterOfTheCopyCountsMoreThanTheName() {
    KubeObject swapped = new Existing().assigned("east").held().recorded("cluster-west").build();
    assertThat(next(swapped, EAST, WEST)).isEqualTo(new Assign("west", 0));
  }

  @Test
  void aWorkerThatIsMadeAnewUnderItsNameHasLostItsJobs() {
    KubeObject job = new Existing().assigned("east").held().recorded("cluster-former").build();
    Instant anew = START.plusSeconds(30);
    WorkerState east = new WorkerState("east", _ -> true, "cluster-east", anew, 0, true, null);
    Instant lost = anew.plus(OPTIONS.lostAfter());
    assertThat(since(START, job, east, WEST)).isEqualTo(new Keep(lost));
    WorkerAssignment later = new WorkerAssignment(List.of(east, WEST), OPTIONS, START, lost);
    assertThat(worker(later.next(job, CopySearch.NOTHING))).isEqualTo("move east");
  }

  @Test
  void aJobThatSaysNothingOfItsCopyStaysWithIt() {
    CopySearch found = new CopySearch(Optional.of(new CopySearch.Found("west", 2)), true);
    WorkerAssignment assignment = new WorkerAssignment(List.of(EAST, WEST), OPTIONS, START, NOW);
    assertThat(assignment.next(job(), found)).isEqualTo(new Assign("west", 2));
  }

  @Test
  void aJobThatMayHaveACopySomewhereWaitsForAllWorkers() {
    CopySearch unknown = new CopySearch(Optional.empty(), false);
    KubeObject held = new Existing().held().build();
    WorkerAssignment assignment = new WorkerAssignment(List.of(EAST, WEST), OPTIONS, START, NOW);
    assertThat(worker(assignment.next(held, unknown))).isEqualTo("refuse " + Reason.OtherWorker);
    assertThat(assignment.next(job(), unknown)).isEqualTo(new Assign("east", 0));
    WorkerAssignment later =
        new WorkerAssignment(List.of(EAST, WEST), OPTIONS, START, START.plus(OPTIONS.lostAfter()));
    assertThat(worker(later.next(held, unknown))).isEqualTo("move east");
  }

  @Test
  void aDeletionSaysThatItWaitsForAWorkerThatTheMirrorDoesNotHave() {
    KubeObject elsewhere =
        new Existing().assigned("north").held().recorded("cluster-north").deleted().build();
    assertThat(worker(next(elsewhere, EAST))).isEqualTo("refuse " + Reason.DeletionWaits);
    CopySearch unknown = new CopySearch(Optional.empty(), false);
    KubeObject held = new Existing().held().deleted().build();
    WorkerAssignment assignment = new WorkerAssignment(List.of(EAST), OPTIONS, START, NOW);
    assertThat(worker(assignment.next(held, unknown))).isEqualTo("refuse " + Reason.DeletionWaits);
  }
}
