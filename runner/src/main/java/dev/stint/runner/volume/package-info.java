/**
 * Volumes of pods: what is in them, decided by pure functions, and their directories on disk.
 *
 * <p>Nothing here knows how containers come to see a volume.
 */
@NullMarked
package dev.stint.runner.volume;

import org.jspecify.annotations.NullMarked;
