/** Fixtures of several modules' tests: a Kubernetes API in memory, and time that stands still. */
@NullMarked
package dev.stint.harness;

import org.jspecify.annotations.NullMarked;
