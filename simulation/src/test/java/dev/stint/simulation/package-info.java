@NullMarked
package dev.stint.simulation;

import org.jspecify.annotations.NullMarked;
