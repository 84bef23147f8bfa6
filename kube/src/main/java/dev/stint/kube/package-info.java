/**
 * The cluster port over a real Kubernetes API. fabric8's configuration is not visible outside;
 * documents are our own.
 */
@NullMarked
package dev.stint.kube;

import org.jspecify.annotations.NullMarked;
