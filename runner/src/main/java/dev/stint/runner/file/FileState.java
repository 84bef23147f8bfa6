package dev.stint.runner.file;

/**
 * The metadata of a file, like {@code struct stat}.
 *
 * @param mode its type and permissions, as in {@code st_mode}
 * @param size in bytes
 * @param mount identifies the mount that it is in; its device where the system doesn't say
 */
public record FileState(int mode, long size, long mount) {
  private static final int TYPE = 0170000;

  public int type() {
    return mode & TYPE;
  }

  public boolean isDirectory() {
    return type() == 0040000;
  }

  public boolean isRegularFile() {
    return type() == 0100000;
  }

  boolean isLink() {
    return type() == 0120000;
  }

  /** Returns the permission bits. */
  public int permissions() {
    return mode & 07777;
  }
}
