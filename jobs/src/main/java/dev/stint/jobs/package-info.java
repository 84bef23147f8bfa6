/**
 * Queries and changes of Jobs: their state and its reason, their progress, and the next steps.
 * Shared by the commands and the console. Decided from documents, done through the {@code Cluster}
 * port.
 */
@NullMarked
package dev.stint.jobs;

import org.jspecify.annotations.NullMarked;
