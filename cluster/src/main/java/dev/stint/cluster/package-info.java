/**
 * The port to a Kubernetes API: the requests of controllers and runners, whatever serves them.
 *
 * <p>No thread behind this port is visible to callers: every answer is a future, and components
 * continue on their own serial executor. So the same code runs on real threads and in a simulation
 * that has only one.
 */
@NullMarked
package dev.stint.cluster;

import org.jspecify.annotations.NullMarked;
