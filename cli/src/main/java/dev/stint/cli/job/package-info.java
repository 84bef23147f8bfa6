/** Commands about existing Jobs: list, show, wait, logs, attempts, cancel and the like. */
@NullMarked
package dev.stint.cli.job;

import org.jspecify.annotations.NullMarked;
