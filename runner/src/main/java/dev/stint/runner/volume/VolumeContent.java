package dev.stint.runner.volume;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of a volume. */
sealed interface VolumeContent {
  /** Files from other objects: config maps, secrets, the pod itself. */
  record Files(List<VolumeFile> files) implements VolumeContent {
    public Files {
      files = List.copyOf(files);
    }
  }

  /**
   * An empty directory for the pod's own use, {@code emptyDir}.
   *
   * @param memory true if it is kept in memory
   * @param sizeLimit in bytes; null for none
   */
  record Scratch(boolean memory, @Nullable Long sizeLimit) implements VolumeContent {
    /** Returns the limit on disk, in bytes; null if there is none, or nothing is on disk. */
    @Nullable Long diskLimit() {
      return memory ? null : sizeLimit;
    }
  }
}
