package dev.stint.runner.volume;

/**
 * Limits the files that the volumes of one pod hold: a short list of items can name one large key
 * thousands of times.
 */
final class VolumeBudget {
  static final long MOST_BYTES = 64L << 20;
  static final int MOST_FILES = 10_000;

  private long bytes;
  private int files;

  /**
   * Counts a file.
   *
   * @throws VolumeFault a limit is exceeded with it
   */
  void count(VolumeFile file) throws VolumeFault {
    bytes += file.size();
    files++;
    if (isExceeded()) {
      throw VolumeFault.ofVolume(
          "the files of the pod's volumes exceed the limit of 64 MiB or 10000 files");
    }
  }

  boolean isExceeded() {
    return bytes > MOST_BYTES || files > MOST_FILES;
  }
}
