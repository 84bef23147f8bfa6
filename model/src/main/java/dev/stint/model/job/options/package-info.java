/** A Job's annotations that Stint's controller reads: requests beyond the specification. */
@NullMarked
package dev.stint.model.job.options;

import org.jspecify.annotations.NullMarked;
