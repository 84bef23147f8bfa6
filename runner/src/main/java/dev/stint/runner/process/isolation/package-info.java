/**
 * What is arranged around the process of a container: mounts, control groups, users and
 * capabilities.
 */
@NullMarked
package dev.stint.runner.process.isolation;

import org.jspecify.annotations.NullMarked;
