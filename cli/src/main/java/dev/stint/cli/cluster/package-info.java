/** Runs of {@code stint run} on a cluster. */
@NullMarked
package dev.stint.cli.cluster;

import org.jspecify.annotations.NullMarked;
