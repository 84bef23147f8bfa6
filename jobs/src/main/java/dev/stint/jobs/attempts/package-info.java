/** Collects the attempts of a Job from all sources that remember them. */
@NullMarked
package dev.stint.jobs.attempts;

import org.jspecify.annotations.NullMarked;
