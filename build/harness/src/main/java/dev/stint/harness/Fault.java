package dev.stint.harness;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * A hook on the requests to a {@link FakeCluster}. {@link FakeCluster#before} refuses requests,
 * {@link FakeCluster#after} carries them out and loses their answers.
 */
@FunctionalInterface
public interface Fault {
  /**
   * Called with each request; throws a {@link ClusterException} to fail it.
   *
   * @param request such as {@code delete pods "default/a" FOREGROUND}
   */
  void on(FakeRequest request);

  /** Fails these requests, as an unreachable API does. */
  static Fault unavailable(Predicate<FakeRequest> requests) {
    return request -> {
      if (requests.test(request)) {
        throw new ClusterException(Reason.UNAVAILABLE, "the API is away");
      }
    };
  }

  /** Fails the requests whose lines have this prefix, as an unreachable API does. */
  static Fault unavailable(String prefix) {
    return unavailable(request -> request.line().startsWith(prefix));
  }

  /** Runs a task at the next request whose line has this prefix; fails nothing. */
  static Fault once(String prefix, Runnable action) {
    boolean[] done = {false};
    return request -> {
      if (!done[0] && request.line().startsWith(prefix)) {
        done[0] = true;
        action.run();
      }
    };
  }

  /** Refuses the next requests whose lines have this prefix, one after the other. */
  static Fault refusing(String prefix, ClusterException... inTurn) {
    Queue<ClusterException> left = new ArrayDeque<>(List.of(inTurn));
    return request -> {
      if (!left.isEmpty() && request.line().startsWith(prefix)) {
        throw left.remove();
      }
    };
  }
}
