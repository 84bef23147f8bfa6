/** Recorded answers of Kubernetes, and what covers what. */
@NullMarked
package dev.stint.conformance;

import org.jspecify.annotations.NullMarked;
