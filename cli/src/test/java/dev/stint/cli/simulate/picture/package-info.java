@NullMarked
package dev.stint.cli.simulate.picture;

import org.jspecify.annotations.NullMarked;
