/** Pods as the engine sees them: small projections. */
@NullMarked
package dev.stint.engine.pod;

import org.jspecify.annotations.NullMarked;
