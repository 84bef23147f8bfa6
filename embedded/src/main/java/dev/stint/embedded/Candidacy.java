package dev.stint.embedded;

import dev.stint.controllers.leader.LeaseTimes;
import dev.stint.model.ObjectRef;

/**
 * Who is elected.
 *
 * @param lease the Lease that is contended for
 * @param identity who we are; no two processes have the same
 */
public record Candidacy(ObjectRef lease, String identity, LeaseTimes times) {}
