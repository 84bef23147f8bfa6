@NullMarked
package dev.stint.cli.simulate;

import org.jspecify.annotations.NullMarked;
