/**
 * What controllers are made of, as controller-runtime is for Go: {@link
 * dev.stint.reconcile.Informer} and {@link dev.stint.reconcile.Reflector} follow objects, {@link
 * dev.stint.reconcile.WorkQueue} and {@link dev.stint.reconcile.TimerQueue} say what to work on and
 * when, {@link dev.stint.reconcile.RetryingCluster} and {@link dev.stint.reconcile.FencedCluster}
 * stand before the API, {@link dev.stint.reconcile.EventRecorder} writes events.
 *
 * <p>Nothing here knows which kinds exist, nor who implements the cluster. Nothing owns a thread:
 * everything happens on an {@link dev.stint.cluster.EventLoop}.
 */
@NullMarked
package dev.stint.reconcile;

import org.jspecify.annotations.NullMarked;
