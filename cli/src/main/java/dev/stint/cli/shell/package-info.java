/** Completion, manual pages, help and version. */
@NullMarked
package dev.stint.cli.shell;

import org.jspecify.annotations.NullMarked;
