/** Runs the command blocks of README and documents as a reader would. */
@NullMarked
package dev.stint.cli.documents;

import org.jspecify.annotations.NullMarked;
