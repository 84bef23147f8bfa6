/** The metrics of controllers, by the names that Kubernetes 1.36 gives them. */
@NullMarked
package dev.stint.controllers.metrics;

import org.jspecify.annotations.NullMarked;
