/** Items of lists that several pods share. */
@NullMarked
package dev.stint.runner.item;

import org.jspecify.annotations.NullMarked;
