@NullMarked
package dev.stint.cli.plane;

import org.jspecify.annotations.NullMarked;
