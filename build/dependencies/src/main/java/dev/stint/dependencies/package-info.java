/** Checks the third-party jars that ship with Stint: what they are, and under which licence. */
@NullMarked
package dev.stint.dependencies;

import org.jspecify.annotations.NullMarked;
