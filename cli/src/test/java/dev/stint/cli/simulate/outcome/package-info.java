@NullMarked
package dev.stint.cli.simulate.outcome;

import org.jspecify.annotations.NullMarked;
