package dev.stint.embedded;

import dev.stint.model.ObjectRef;
import dev.stint.reconcile.leader.LeaseTimes;

/**
 * Who is elected.
 *
 * @param lease the Lease that is contended for
 * @param identity who we are; no two processes have the same
 */
public record LeaderCandidate(ObjectRef lease, String identity, LeaseTimes times) {}
