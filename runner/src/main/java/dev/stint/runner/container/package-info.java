/**
 * Containers by a daemon that speaks Docker's API, Docker or Podman.
 *
 * <p>Pure functions decide the definition of a container. The daemon is the record of what runs and
 * how it ended, and labels name the pod of each container.
 */
@NullMarked
package dev.stint.runner.container;

import org.jspecify.annotations.NullMarked;
