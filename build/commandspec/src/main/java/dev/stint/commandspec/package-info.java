/**
 * An annotation processor that writes the parser's description of each command, so that a command
 * starts without reading its annotations. Maven does not notice a change of it: remove {@code
 * cli/target/classes} after one. The launcher does so by itself.
 */
@NullMarked
package dev.stint.commandspec;

import org.jspecify.annotations.NullMarked;
