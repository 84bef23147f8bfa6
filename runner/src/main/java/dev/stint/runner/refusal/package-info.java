/** What of a pod is refused, alike for all runtimes of one machine. */
@NullMarked
package dev.stint.runner.refusal;

import org.jspecify.annotations.NullMarked;
