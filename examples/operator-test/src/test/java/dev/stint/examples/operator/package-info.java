@NullMarked
package dev.stint.examples.operator;

import org.jspecify.annotations.NullMarked;
