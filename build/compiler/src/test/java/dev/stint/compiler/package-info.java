@NullMarked
package dev.stint.compiler;

import org.jspecify.annotations.NullMarked;
