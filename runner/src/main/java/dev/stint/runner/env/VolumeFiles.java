package dev.stint.runner.env;

import java.io.IOException;
import java.util.Optional;

/** Reads files in the volumes of pods, for variables that come from there. */
@FunctionalInterface
public interface VolumeFiles {
  /** There are no volumes. */
  VolumeFiles NONE = (_, _, _) -> Optional.empty();

  /**
   * Returns the text of a file; waits for the disk.
   *
   * @param path relative to the volume
   * @return empty if the volume or the file does not exist
   * @throws IOException the file cannot be read, is too large, or is none; the message says why
   */
  Optional<String> read(String podUid, String volume, String path) throws IOException;
}
