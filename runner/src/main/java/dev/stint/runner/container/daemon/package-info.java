/** The API of a Docker-compatible daemon. */
@NullMarked
package dev.stint.runner.container.daemon;

import org.jspecify.annotations.NullMarked;
