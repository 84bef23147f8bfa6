package dev.stint.runner.volume;

import org.jspecify.annotations.Nullable;

/**
 * {@code fsGroup}: the group of a pod that may read its volumes, and write them if that makes
 * sense.
 *
 * @param settable false if this program may not give files to the group. Then others have the
 *     rights of the group: all processes of the pod are in it, and no other user of the machine
 *     gets to the volumes.
 */
public record VolumeGroup(int id, boolean settable) {
  /**
   * Returns the group with this number.
   *
   * @return null if there is none
   */
  public static @Nullable VolumeGroup of(@Nullable Long id, boolean settable) {
    return id == null ? null : new VolumeGroup(Math.toIntExact(id), settable);
  }
}
