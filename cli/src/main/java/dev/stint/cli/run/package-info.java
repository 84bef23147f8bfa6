/** {@code stint run} and {@code rerun}: Jobs from files, run on this machine until they end. */
@NullMarked
package dev.stint.cli.run;

import org.jspecify.annotations.NullMarked;
