/**
 * The port to a Kubernetes API: what controllers and runners may ask of it, whoever serves it.
 *
 * <p>Nobody behind this port owns a thread that callers can see: every answer is a future, and
 * components re-enter their own serial executor with it. So the same code runs on real threads and
 * in a simulation that has only one.
 */
@NullMarked
package dev.stint.cluster;

import org.jspecify.annotations.NullMarked;
