/**
 * The cluster port over a real Kubernetes API. fabric8's HTTP client and configuration stop here:
 * what goes through is our own documents.
 */
@NullMarked
package dev.stint.kube;

import org.jspecify.annotations.NullMarked;
