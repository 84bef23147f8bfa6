/**
 * Making it happen: caches of what the API says, and the carrying out of what the engine decides.
 *
 * <p>Controllers own no thread. They take watch events, timers and the results of their writes on
 * one serial executor, and answer with writes to the {@link dev.stint.cluster.Cluster}.
 */
@NullMarked
package dev.stint.controllers;

import org.jspecify.annotations.NullMarked;
