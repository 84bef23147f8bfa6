/** Replays recorded requests in this process, and compares the answers with those of Kubernetes. */
@NullMarked
package dev.stint.conformance.answers;

import org.jspecify.annotations.NullMarked;
