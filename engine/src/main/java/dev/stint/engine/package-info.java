/**
 * The decisions on a Job: pure functions from its observed state to its next actions.
 *
 * <p>The walk: pods enter the {@link dev.stint.engine.Ledger}, which keeps their tally in O(1) per
 * change. {@link dev.stint.engine.Decision#decide} looks at the Job, its ledger and its stored
 * status and answers with a {@link dev.stint.engine.Plan}: which pods to create, the status to
 * write, which pods to release. {@link dev.stint.engine.Accounting} is the protocol that counts
 * each pod exactly once; {@link dev.stint.engine.policy.Verdict} is the order in which policies
 * decide the Job's outcome; each policy is a file of its own in {@code policy}.
 */
@NullMarked
package dev.stint.engine;

import org.jspecify.annotations.NullMarked;
