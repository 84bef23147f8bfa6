/**
 * The controllers: caches of the API's objects, and the execution of the engine's decisions.
 *
 * <p>Controllers own no thread. They take watch events, timers and the results of their writes on
 * one serial executor, and answer with writes to the {@link dev.stint.cluster.Cluster}.
 */
@NullMarked
package dev.stint.controllers;

import org.jspecify.annotations.NullMarked;
