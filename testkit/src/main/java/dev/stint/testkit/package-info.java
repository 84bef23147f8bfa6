/** A Kubernetes API with controllers, inside a test. */
@NullMarked
package dev.stint.testkit;

import org.jspecify.annotations.NullMarked;
