/**
 * One file per policy: a pure rule and nothing else. They look at a {@link
 * dev.stint.engine.policy.JobSituation}; the order in which they decide is in {@link
 * dev.stint.engine.policy.Verdict}.
 */
@NullMarked
package dev.stint.engine.policy;

import org.jspecify.annotations.NullMarked;
