/** What a Job asks of Stint's controller beyond its specification: its annotations. */
@NullMarked
package dev.stint.model.job.options;

import org.jspecify.annotations.NullMarked;
