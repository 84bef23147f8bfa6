/** What is known of the attempts of a Job, whoever still remembers them. */
@NullMarked
package dev.stint.jobs.attempts;

import org.jspecify.annotations.NullMarked;
