/** The Kubernetes API over the store. */
@NullMarked
package dev.stint.apiserver;

import org.jspecify.annotations.NullMarked;
