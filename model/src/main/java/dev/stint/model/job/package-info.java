/** The Job: its typed form, its defaults and its validation. */
@NullMarked
package dev.stint.model.job;

import org.jspecify.annotations.NullMarked;
