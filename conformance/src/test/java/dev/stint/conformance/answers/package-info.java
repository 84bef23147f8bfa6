/** Replays what a Kubernetes API server answered, in this process, and compares. */
@NullMarked
package dev.stint.conformance.answers;

import org.jspecify.annotations.NullMarked;
