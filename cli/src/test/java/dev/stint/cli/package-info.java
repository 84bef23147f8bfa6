@NullMarked
package dev.stint.cli;

import org.jspecify.annotations.NullMarked;
