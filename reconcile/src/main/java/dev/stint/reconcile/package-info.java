/**
 * The building blocks of controllers, as controller-runtime is for Go: {@link
 * dev.stint.reconcile.Informer} and {@link dev.stint.reconcile.Reflector} follow objects, {@link
 * dev.stint.reconcile.WorkQueue} and {@link dev.stint.reconcile.TimerQueue} schedule the work,
 * {@link dev.stint.reconcile.RetryingCluster} and {@link dev.stint.reconcile.FencedCluster} wrap
 * the API, {@link dev.stint.reconcile.EventRecorder} writes events.
 *
 * <p>This module depends on no kind of object and on no implementation of the cluster. It owns no
 * thread: everything happens on an {@link dev.stint.cluster.EventLoop}.
 */
@NullMarked
package dev.stint.reconcile;

import org.jspecify.annotations.NullMarked;
