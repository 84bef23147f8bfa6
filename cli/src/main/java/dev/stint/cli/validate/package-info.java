/** {@code stint validate}, and what the places refuse where a document may run. */
@NullMarked
package dev.stint.cli.validate;

import org.jspecify.annotations.NullMarked;
