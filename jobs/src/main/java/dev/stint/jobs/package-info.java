/**
 * What people ask of a Job and do to it: how it stands and why, how fast it goes, what can be done
 * about it. For the commands and the console alike; decided from documents, done through the {@code
 * Cluster} port.
 */
@NullMarked
package dev.stint.jobs;

import org.jspecify.annotations.NullMarked;
