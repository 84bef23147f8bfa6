/**
 * A web console for Jobs: the pages and their API under {@code /console}. It works over the {@code
 * Cluster} port, so that it shows a local API and a remote cluster in the same way.
 */
@NullMarked
package dev.stint.console;

import org.jspecify.annotations.NullMarked;
