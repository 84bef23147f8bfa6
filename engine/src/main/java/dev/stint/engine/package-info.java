/** What should happen next. */
@NullMarked
package dev.stint.engine;

import org.jspecify.annotations.NullMarked;
