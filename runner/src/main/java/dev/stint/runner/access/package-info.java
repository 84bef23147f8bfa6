/** Access to running pods: their logs, and commands to run in their containers. */
@NullMarked
package dev.stint.runner.access;

import org.jspecify.annotations.NullMarked;
