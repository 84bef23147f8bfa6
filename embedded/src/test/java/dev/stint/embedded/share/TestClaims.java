package dev.stint.embedded.share;

import dev.stint.runner.process.user.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A listener of claims that records what it is asked for. */
final class TestClaims implements Claims.Listener {
  final List<String> calls = new ArrayList<>();

  /** Completes when Jobs that were left are free. */
  CompletableFuture<?> free = new CompletableFuture<>();

  /** Completes when the first Jobs are left. */
  final CompletableFuture<List<JobClaim>> left = new CompletableFuture<>();

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
  public CompletableFuture<?> onLeave(List<JobClaim> claims) {
    calls.add("leave " + keys(claims));
    left.complete(claims);
    return free;
  }

  private static List<String> keys(List<JobClaim> claims) {
    return claims.stream().map(JobClaim::key).toList();
  }
}
