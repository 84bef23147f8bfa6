@NullMarked
package dev.stint.console;

import org.jspecify.annotations.NullMarked;
