package dev.stint.testkit.time;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.ClientIdentity;
import dev.stint.apiserver.http.RequestFilter;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Gives requests a consistent view: each waits until all earlier requests, and everything that
 * follows from them without time passing, are done. So a client that creates a Job and then lists
 * its pods finds them.
 */
public final class AwaitIdleFilter implements RequestFilter {
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  private final RequestFilter gate;
  private final SimulatedTimeScheduler time;

  public AwaitIdleFilter(RequestFilter gate, SimulatedTimeScheduler time) {
    this.gate = gate;
    this.time = time;
  }

  @Override
  public ApiResponse answer(Call call, ClientIdentity peer) throws IOException {
    time.onRequestStart();
    try {
      awaitIdle();
      return gate.answer(call, peer);
    } finally {
      time.onRequestEnd();
    }
  }

  private void awaitIdle() {
    try {
      BlockingAnswers.within(
          IDLE_TIMEOUT, time.whenIdle(), "the control plane did not come to rest");
    } catch (AssertionError restless) {
      String why = String.valueOf(restless.getMessage());
      throw new ClusterException(Reason.TIMEOUT, why, List.of(), restless);
    }
  }
}
