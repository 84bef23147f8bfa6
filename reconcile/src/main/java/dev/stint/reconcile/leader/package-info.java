/**
 * Leader election by Lease ({@code coordination.k8s.io/v1}): one of several processes works, and
 * another one takes over when it is gone. The protocol and its times are those of Kubernetes' own
 * components.
 */
@NullMarked
package dev.stint.reconcile.leader;

import org.jspecify.annotations.NullMarked;
