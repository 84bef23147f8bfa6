/** Kills of {@code stint} and of all processes of its machine, and what must be true afterwards. */
@NullMarked
package dev.stint.bench.kills;

import org.jspecify.annotations.NullMarked;
