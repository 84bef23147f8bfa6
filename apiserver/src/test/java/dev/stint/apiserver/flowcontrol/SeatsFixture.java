package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.flowcontrol.PriorityLevel.Queuing;
import dev.stint.apiserver.flowcontrol.SeatAllocator.Arrival;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An allocator of seats, and what it says about requests that have waited. */
final class SeatsFixture implements SeatAllocator.Listener {
  static final Queuing QUEUES = new Queuing(128, 6, 50);

  final SeatAllocator seats;
  final List<SeatRequest> seated = new ArrayList<>();
  final List<SeatRequest> evicted = new ArrayList<>();

  SeatsFixture(int seats, int mostWaiting, long salt, PriorityLevel... levels) {
    this.seats = new SeatAllocator(seats, mostWaiting, salt, this);
    configure(List.of(levels));
  }

  void configure(Collection<PriorityLevel> levels) {
    List<PriorityLevel> all = new ArrayList<>(levels);
    all.add(level("catch-all", 0, 0, null, null));
    seats.configure(all);
  }

  static PriorityLevel level(
      String name,
      int shares,
      int lendable,
      @Nullable Integer borrowing,
      @Nullable Queuing queuing) {
    return new PriorityLevel(name, "", false, shares, lendable, borrowing, queuing);
  }

  static SeatRequest request(String level, String flow) {
    return request(level, flow, 1);
  }

  static SeatRequest request(String level, String flow, int seats) {
    return new SeatRequest(level, "schema", flow, seats);
  }

  /** Has a flow take as many seats as it gets, and returns the requests that have seats. */
  List<SeatRequest> fill(String level, String flow) {
    List<SeatRequest> taken = new ArrayList<>();
    while (true) {
      SeatRequest request = request(level, flow);
      if (seats.arrive(request) != Arrival.SEATED) {
        return taken;
      }
      taken.add(request);
    }
  }

  /** Has a flow send requests until its queues are full; returns how many wait. */
  int flood(String level, String flow) {
    int waiting = 0;
    while (seats.arrive(request(level, flow)) == Arrival.WAITING) {
      waiting++;
    }
    return waiting;
  }

  @Override
  public void onSeated(SeatRequest request) {
    seated.add(request);
  }

  @Override
  public void onEvicted(SeatRequest request) {
    evicted.add(request);
  }
}
