/** A javac that stays warm while Maven builds one module after the other. */
@NullMarked
package dev.stint.compiler;

import org.jspecify.annotations.NullMarked;
