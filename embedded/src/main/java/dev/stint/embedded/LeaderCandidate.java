package dev.stint.embedded;

import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.LeaseTimes;

/**
 * A candidate for leader election.
 *
 * @param lease the Lease that is contended for
 * @param identity the candidate's name; no two processes share one
 */
public record LeaderCandidate(ObjectRef lease, String identity, LeaseTimes times) {}
