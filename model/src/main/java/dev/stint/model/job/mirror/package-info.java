/** Marks of a Job that another cluster runs, a mirrored one. */
@NullMarked
package dev.stint.model.job.mirror;

import org.jspecify.annotations.NullMarked;
