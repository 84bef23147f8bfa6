/** Job files to start from. */
@NullMarked
package dev.stint.cli.init;

import org.jspecify.annotations.NullMarked;
