package dev.stint.apiserver.flowcontrol;

import static dev.stint.apiserver.flowcontrol.SeatsFixture.QUEUES;
import static dev.stint.apiserver.flowcontrol.SeatsFixture.level;
import static dev.stint.apiserver.flowcontrol.SeatsFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.flowcontrol.PriorityLevel.Queuing;
import dev.stint.apiserver.flowcontrol.SeatAllocator.Arrival;
import dev.stint.apiserver.flowcontrol.SeatRequest.State;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Seats are given out within the limits of the priority levels. */
class SeatAllocatorTest {
  @Test
  void seatsFollowFromShares() {
    SeatsFixture world =
        new SeatsFixture(
            96, 100, 0, level("a", 100, 90, null, QUEUES), level("b", 20, 50, null, null));
    assertThat(world.seats.nominalSeats("a")).isEqualTo(80);
    assertThat(world.seats.nominalSeats("b")).isEqualTo(16);
    assertThat(world.seats.nominalSeats("c")).isZero();
  }

  @Test
  void aLevelWithoutQueuesRefusesAtOnce() {
    SeatsFixture world = new SeatsFixture(4, 100, 0, level("a", 1, 0, 0, null));
    assertThat(world.fill("a", "x")).hasSize(4);
    SeatRequest refused = request("a", "x");
    assertThat(world.seats.arrive(refused)).isEqualTo(Arrival.CONCURRENCY_LIMIT);
    assertThat(refused.state()).isEqualTo(State.OVER);
  }

  @Test
  void aLevelBorrowsAsMuchAsItMay() {
    SeatsFixture world =
        new SeatsFixture(100, 100, 0, level("a", 50, 0, 20, null), level("b", 50, 100, null, null));
    assertThat(world.fill("a", "x")).hasSize(60);
  }

  @Test
  void aRequestThatGivesUpLeavesItsQueue() {
    SeatsFixture world = new SeatsFixture(1, 10_000, 0, level("a", 1, 0, null, QUEUES));
    SeatRequest first = world.fill("a", "x").getFirst();
    world.flood("a", "x");
    int before = world.seats.waiting();
    SeatRequest impatient = request("a", "y");
    world.seats.arrive(impatient);
    world.seats.end(impatient);
    assertThat(world.seats.waiting()).isEqualTo(before);
    world.seats.end(first);
    assertThat(world.seated).hasSize(1).doesNotContain(impatient);
  }

  @Test
  void aRequestTakesAtMostAQuarterOfTheSeatsOfItsLevel() {
    SeatsFixture world = new SeatsFixture(20, 100, 0, level("a", 1, 0, null, QUEUES));
    SeatRequest wide = request("a", "x", 10);
    world.seats.arrive(wide);
    assertThat(wide.seats()).isEqualTo(5);
  }

  @Test
  void waitingRequestsMoveToOtherQueues() {
    SeatsFixture world = new SeatsFixture(1, 100, 0, level("a", 1, 0, null, QUEUES));
    SeatRequest first = world.fill("a", "x").getFirst();
    List<SeatRequest> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(request("a", "x"));
      world.seats.arrive(waiting.getLast());
    }
    world.configure(List.of(level("a", 1, 0, null, new Queuing(1, 1, 50))));
    assertThat(world.seats.waiting()).isEqualTo(4);
    world.configure(List.of(level("a", 1, 0, null, new Queuing(1, 1, 2))));
    assertThat(world.evicted).hasSize(2);
    world.seats.end(first);
    assertThat(world.seated).hasSize(1);
  }

  @Test
  void requestsOfALevelThatIsGoneEndAndThoseThatWaitAreRefused() {
    SeatsFixture world =
        new SeatsFixture(2, 100, 0, level("a", 1, 0, null, QUEUES), level("b", 1, 0, null, QUEUES));
    List<SeatRequest> executing = world.fill("a", "x");
    assertThat(world.seats.waiting()).isEqualTo(1);
    world.configure(List.of(level("b", 1, 0, null, QUEUES)));
    assertThat(world.evicted).hasSize(1);
    assertThat(world.seats.inUse("a")).isEqualTo(1);
    executing.forEach(world.seats::end);
    assertThat(world.seats.inUse()).isZero();
    assertThat(world.seats.arrive(request("a", "x"))).isEqualTo(Arrival.CONCURRENCY_LIMIT);
  }

  /** Whatever comes, the limits hold, nothing is lost, and everything comes to an end. */
  @Test
  void limitsHoldInEveryOrder() {
    for (long seed = 0; seed < 300; seed++) {
      new RandomRequests(seed).run();
    }
  }

  private static final class RandomRequests {
    private static final String[] LEVELS = {"a", "b", "c"};
    private static final int SEATS = 24;

    private final SplittableRandom random;
    private final SeatsFixture world;
    private final List<SeatRequest> alive = new ArrayList<>();
    private final long seed;

    RandomRequests(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.world = new SeatsFixture(SEATS, 60, seed, levels());
    }

    private PriorityLevel[] levels() {
      PriorityLevel[] levels = new PriorityLevel[LEVELS.length];
      for (int i = 0; i < LEVELS.length; i++) {
        Integer borrowing = random.nextBoolean() ? null : random.nextInt(200);
        Queuing queuing = random.nextInt(4) == 0 ? null : new Queuing(8, 1 + random.nextInt(3), 5);
        levels[i] =
            level(LEVELS[i], 1 + random.nextInt(9), random.nextInt(101), borrowing, queuing);
      }
      return levels;
    }

    void run() {
      for (int step = 0; step < 400; step++) {
        switch (random.nextInt(20)) {
          case 0 -> world.configure(List.of(levels()));
          case 1, 2, 3, 4, 5, 6, 7 -> endOne();
          default -> arrive();
        }
        check();
      }
      while (!alive.isEmpty()) {
        endOneSeated();
        check();
      }
      assertThat(world.seats.waiting()).as("seed %d", seed).isZero();
      assertThat(world.seats.inUse()).as("seed %d", seed).isZero();
    }

    private void arrive() {
      SeatRequest request =
          request(
              LEVELS[random.nextInt(LEVELS.length)],
              "flow " + random.nextInt(5),
              1 + random.nextInt(10));
      world.seats.arrive(request);
      alive.add(request);
    }

    private void endOne() {
      if (!alive.isEmpty()) {
        world.seats.end(alive.remove(random.nextInt(alive.size())));
      }
    }

    private void endOneSeated() {
      List<SeatRequest> seated = alive.stream().filter(c -> c.state() == State.SEATED).toList();
      assertThat(seated).as("someone is served, seed %d", seed).isNotEmpty();
      world.seats.end(seated.get(random.nextInt(seated.size())));
      forgetEnded();
    }

    private void forgetEnded() {
      alive.removeIf(request -> request.state() == State.OVER);
    }

    private void check() {
      forgetEnded();
      int seated =
          alive.stream().filter(c -> c.state() == State.SEATED).mapToInt(SeatRequest::seats).sum();
      long waiting = alive.stream().filter(c -> c.state() == State.WAITING).count();
      assertThat(world.seats.inUse()).as("seed %d", seed).isEqualTo(seated);
      assertThat(world.seats.waiting()).as("seed %d", seed).isEqualTo((int) waiting);
      assertThat(waiting).as("seed %d", seed).isLessThanOrEqualTo(60);
    }
  }
}
