/** Container output: files, the times of their lines, and reading them as one log. */
@NullMarked
package dev.stint.runner.log;

import org.jspecify.annotations.NullMarked;
