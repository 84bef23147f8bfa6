/**
 * Volumes of pods: their contents, decided by pure functions, and their directories on disk.
 *
 * <p>Nothing here knows how volumes are mounted into containers.
 */
@NullMarked
package dev.stint.runner.volume;

import org.jspecify.annotations.NullMarked;
