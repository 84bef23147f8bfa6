/**
 * Containers by a daemon that speaks Docker's API, Docker or Podman.
 *
 * <p>What a container is made of is decided by pure functions; the daemon is the record of what
 * runs and how it ended, and containers tell by their labels whose they are.
 */
@NullMarked
package dev.stint.runner.container;

import org.jspecify.annotations.NullMarked;
