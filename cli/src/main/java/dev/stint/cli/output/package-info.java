/** What commands write, and how they end. */
@NullMarked
package dev.stint.cli.output;

import org.jspecify.annotations.NullMarked;
