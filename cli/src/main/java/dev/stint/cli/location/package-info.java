/**
 * The place of the Jobs that a command is about: a data directory, the server that has it open, or
 * a cluster.
 */
@NullMarked
package dev.stint.cli.location;

import org.jspecify.annotations.NullMarked;
