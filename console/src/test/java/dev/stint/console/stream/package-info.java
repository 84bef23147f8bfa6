@NullMarked
package dev.stint.console.stream;

import org.jspecify.annotations.NullMarked;
