package dev.stint.apiserver.flowcontrol;

import static dev.stint.apiserver.flowcontrol.SeatsFixture.QUEUES;
import static dev.stint.apiserver.flowcontrol.SeatsFixture.level;
import static dev.stint.apiserver.flowcontrol.SeatsFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.flowcontrol.SeatAllocator.Arrival;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Flows that flood do not make others wait for long. */
class FairnessTest {
  private static final int FLOWS = 1000;

  /** A flood fills its own hand of queues, so that another request waits for one of each. */
  @Test
  void aRequestBesideAFloodIsDispatchedWithinSevenDispatches() {
    for (int other = 0; other < FLOWS; other++) {
      SeatsFixture world = new SeatsFixture(8, 10_000, other, level("a", 1, 0, null, QUEUES));
      Deque<SeatRequest> executing = new ArrayDeque<>(world.fill("a", "flood"));
      int waiting = 1 + world.flood("a", "flood");
      assertThat(waiting).isEqualTo(QUEUES.handSize() * QUEUES.lengthLimit());

      SeatRequest request = request("a", "user " + other);
      assertThat(world.seats.arrive(request)).isEqualTo(Arrival.WAITING);
      assertThat(dispatchesUntil(world, executing, request))
          .isLessThanOrEqualTo(QUEUES.handSize() + 1);
    }
  }

  /** Each of those who send one request after the other goes as often as the flood's queues. */
  @Test
  void aFloodDoesNotGoMoreOftenThanItsQueues() {
    SeatsFixture world = new SeatsFixture(4, 10_000, 24, level("a", 1, 0, null, QUEUES));
    Deque<SeatRequest> executing = new ArrayDeque<>(world.fill("a", "flood"));
    world.flood("a", "flood");
    Map<SeatRequest, String> flows = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      String flow = "user " + i;
      SeatRequest first = request("a", flow);
      flows.put(first, flow);
      world.seats.arrive(first);
    }
    Map<String, Integer> dispatches = new HashMap<>();
    for (int i = 0; i < 1600; i++) {
      SeatRequest next = endOneAndNext(world, executing);
      String flow = flows.getOrDefault(next, "flood");
      dispatches.merge(flow, 1, Integer::sum);
      SeatRequest again = request("a", flow);
      flows.put(again, flow);
      world.seats.arrive(again);
    }
    assertThat(dispatches.get("flood")).isBetween(500, 700);
    dispatches.remove("flood");
    assertThat(dispatches.values()).hasSize(10).allMatch(count -> count >= 90 && count <= 120);
  }

  /** A flow whose requests take ten seats goes a tenth as often, but for one of each queue. */
  @Test
  void turnsAreCountedInSeats() {
    SeatsFixture world = new SeatsFixture(40, 10_000, 5, level("a", 1, 0, null, QUEUES));
    Deque<SeatRequest> executing = new ArrayDeque<>(world.fill("a", "first"));
    Map<SeatRequest, String> flows = new HashMap<>();
    for (int i = 0; i < 290; i++) {
      for (String flow : new String[] {"wide", "narrow"}) {
        SeatRequest request = request("a", flow, flow.equals("wide") ? 10 : 1);
        flows.put(request, flow);
        world.seats.arrive(request);
      }
    }
    Map<String, Integer> taken = new HashMap<>();
    while (taken.values().stream().mapToInt(Integer::intValue).sum() < 500) {
      SeatRequest next = endOneAndNext(world, executing);
      if (flows.containsKey(next)) {
        taken.merge(flows.get(next), next.seats(), Integer::sum);
      }
    }
    assertThat(taken.get("narrow")).isBetween(190, 310);
  }

  /** A flood of one level does not take what another level does not lend. */
  @Test
  void anotherLevelHasItsSeatsAtOnce() {
    SeatsFixture world =
        new SeatsFixture(
            100,
            10_000,
            1,
            level("flooded", 50, 50, null, QUEUES),
            level("other", 50, 50, null, QUEUES));
    assertThat(world.fill("flooded", "flood")).hasSize(75);
    world.flood("flooded", "flood");
    assertThat(world.fill("other", "user")).hasSize(25);
  }

  /** Lent seats come back first to the level that they belong to. */
  @Test
  void aLevelThatLendsGetsItsSeatsBackFirst() {
    SeatsFixture world =
        new SeatsFixture(
            100,
            10_000,
            1,
            level("flooded", 50, 50, null, QUEUES),
            level("other", 50, 50, null, QUEUES));
    Deque<SeatRequest> flooding = new ArrayDeque<>(world.fill("flooded", "flood"));
    world.flood("flooded", "flood");
    world.fill("other", "user");
    world.flood("other", "user");
    for (int i = 0; i < 25; i++) {
      world.seats.end(flooding.remove());
    }
    assertThat(world.seats.inUse("other")).isEqualTo(50);
    assertThat(world.seats.inUse("flooded")).isEqualTo(50);
  }

  /** Many floods fill the room for waiting requests; the longest queue gives way. */
  @Test
  void whoHasNotFloodedFindsAPlace() {
    SeatsFixture world = new SeatsFixture(4, 200, 3, level("a", 1, 0, null, QUEUES));
    world.fill("a", "flood");
    world.flood("a", "flood");
    assertThat(world.seats.waiting()).isEqualTo(200);

    SeatRequest request = request("a", "user");
    assertThat(world.seats.arrive(request)).isEqualTo(Arrival.WAITING);
    assertThat(world.evicted).hasSize(1).doesNotContain(request);
    assertThat(world.seats.waiting()).isEqualTo(200);
  }

  private static int dispatchesUntil(
      SeatsFixture world, Deque<SeatRequest> executing, SeatRequest request) {
    for (int dispatches = 1; ; dispatches++) {
      if (endOneAndNext(world, executing) == request) {
        return dispatches;
      }
    }
  }

  /** Ends the oldest request until another one is dispatched, and returns that one. */
  private static SeatRequest endOneAndNext(SeatsFixture world, Deque<SeatRequest> executing) {
    while (world.seated.isEmpty()) {
      world.seats.end(executing.remove());
    }
    SeatRequest next = world.seated.removeFirst();
    executing.add(next);
    return next;
  }
}
