/** The cluster port over a real Kubernetes API. */
@NullMarked
package dev.stint.kube;

import org.jspecify.annotations.NullMarked;
