/** The isolation of a container's process: mounts, control groups, users and capabilities. */
@NullMarked
package dev.stint.runner.process.isolation;

import org.jspecify.annotations.NullMarked;
