/**
 * Jobs in a browser: pages, and what they ask for under {@code /console}. Over the {@code Cluster}
 * port, so that a local API and a cluster somewhere are looked at in the same way.
 */
@NullMarked
package dev.stint.console;

import org.jspecify.annotations.NullMarked;
