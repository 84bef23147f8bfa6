/** How long Jobs take on this machine: the program behind {@code stint bench}. */
@NullMarked
package dev.stint.embedded.bench;

import org.jspecify.annotations.NullMarked;
