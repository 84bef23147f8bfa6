@NullMarked
package dev.stint.console.simulation;

import org.jspecify.annotations.NullMarked;
