/** The data directory as several commands use it: one holds it, and the others join that one. */
@NullMarked
package dev.stint.cli.share;

import org.jspecify.annotations.NullMarked;
