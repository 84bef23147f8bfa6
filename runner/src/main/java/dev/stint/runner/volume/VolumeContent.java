package dev.stint.runner.volume;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a volume is made of. */
public sealed interface VolumeContent {
  /** Files that the pod's author wrote elsewhere: config maps, secrets, the pod itself. */
  record Files(List<VolumeFile> files) implements VolumeContent {
    public Files {
      files = List.copyOf(files);
    }
  }

  /**
   * An empty directory for the pod's own use, {@code emptyDir}.
   *
   * @param memory whether it is kept in memory
   * @param sizeLimit in bytes; null for none
   */
  record Scratch(boolean memory, @Nullable Long sizeLimit) implements VolumeContent {
    /** What may be written to the disk, in bytes; null for any amount, or none. */
    public @Nullable Long diskLimit() {
      return memory ? null : sizeLimit;
    }
  }

  /**
   * A file or directory of this machine.
   *
   * @param type what has to be there, as {@code hostPath.type} has it; empty for anything
   */
  record HostPath(Path path, String type) implements VolumeContent {}
}
