/**
 * The items of an Indexed Job: the line of a list that an index works on, and how a command gets
 * it.
 */
@NullMarked
package dev.stint.model.item;

import org.jspecify.annotations.NullMarked;
