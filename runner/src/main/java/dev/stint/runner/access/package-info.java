/** Access to running pods: their logs, and commands beside their own. */
@NullMarked
package dev.stint.runner.access;

import org.jspecify.annotations.NullMarked;
