/** Metrics of the API server, and the port on which all metrics of a process are served. */
@NullMarked
package dev.stint.embedded.metrics;

import org.jspecify.annotations.NullMarked;
