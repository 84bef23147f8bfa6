/** Limit ranges: what they may say, and what they ask of the pods of their namespace. */
@NullMarked
package dev.stint.model.limit;

import org.jspecify.annotations.NullMarked;
