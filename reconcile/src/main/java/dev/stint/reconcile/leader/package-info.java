/**
 * Leader election by Lease ({@code coordination.k8s.io/v1}): of several processes one works, and
 * when it is gone another does. The protocol and its times are those of Kubernetes' own components.
 */
@NullMarked
package dev.stint.reconcile.leader;

import org.jspecify.annotations.NullMarked;
