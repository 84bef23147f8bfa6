/** Comparisons with recorded answers of Kubernetes. */
@NullMarked
package dev.stint.model.conformance;

import org.jspecify.annotations.NullMarked;
