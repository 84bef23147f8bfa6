/** Converters from the text of a flag to its value. */
@NullMarked
package dev.stint.cli.flag;

import org.jspecify.annotations.NullMarked;
