/**
 * The policies, one pure rule per file. They decide on a {@link
 * dev.stint.engine.policy.PolicyInput}; the order in which they decide is in {@link
 * dev.stint.engine.policy.Verdict}.
 */
@NullMarked
package dev.stint.engine.policy;

import org.jspecify.annotations.NullMarked;
