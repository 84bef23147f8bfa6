package dev.stint.embedded.share;

import dev.stint.runner.process.user.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A listener of claims that records what it is asked for. */
final class TestClaims implements Claims.Listener {
  final List<String> calls = new ArrayList<>();

  /** Completes when Jobs were interrupted. */
  CompletableFuture<?> interrupted = new CompletableFuture<>();

  /** Completes when their pods have ended. */
  CompletableFuture<?> stopped = new CompletableFuture<>();

  /** Completes at the first interruption. */
  final CompletableFuture<List<JobClaim>> abandoned = new CompletableFuture<>();

  /** Returns claims that nothing follows from. */
  static Claims idle() {
    return new Claims(new TestClaims());
  }

  /** Returns the claim of a Job by another command. */
  static JobClaim claim(String name) {
    return new JobClaim(
        "default",
        name,
        "stint run (pid 7)",
        false,
        Surroundings.ofThisProcess(Map.of("TERMINAL", name)));
  }

  @Override
  public void onClaim(List<JobClaim> claims) {
    calls.add("claim " + keys(claims));
  }

  @Override
  public CompletableFuture<?> interrupt(List<JobClaim> claims) {
    calls.add("interrupt " + keys(claims));
    abandoned.complete(claims);
    return interrupted;
  }

  @Override
  public CompletableFuture<?> stopped(List<JobClaim> claims) {
    calls.add("await " + keys(claims));
    return stopped;
  }

  private static List<String> keys(List<JobClaim> claims) {
    return claims.stream().map(JobClaim::key).toList();
  }
}
