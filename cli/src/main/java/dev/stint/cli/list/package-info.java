/** The lists of {@code stint run --each}: their formats, and the config maps that hold them. */
@NullMarked
package dev.stint.cli.list;

import org.jspecify.annotations.NullMarked;
