/**
 * One data directory for several commands: the process that holds it serves its API to the others
 * over a private socket, and works on the Jobs that they claim.
 */
@NullMarked
package dev.stint.embedded.share;

import org.jspecify.annotations.NullMarked;
