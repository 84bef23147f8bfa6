/** The lists of {@code stint run --each}: their formats, their Jobs, and their config maps. */
@NullMarked
package dev.stint.cli.list;

import org.jspecify.annotations.NullMarked;
