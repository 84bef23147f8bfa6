package dev.stint.bench.disk;

import java.util.Arrays;

/**
 * Something that a process did to the files of a directory.
 *
 * @param at the length of the log before it
 * @param file the number of the inode
 * @param offset of what was written; the new length, if truncated; {@link #CREATED} and {@link
 *     #TRUNCATED}, if opened
 * @param begin for a sync, the length of the log when it began: it makes durable what came before
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by their position in the log.
record DiskOperation(
    Verb kind, long at, long file, String path, long offset, long begin, byte[] data) {
  static final long CREATED = 1;
  static final long TRUNCATED = 2;

  /** In the order of {@code faults.c}. */
  enum Verb {
    OPEN,
    WRITE,
    TRUNCATE,
    SYNC,
    RENAME,
    UNLINK,
    MKDIR,
    PRINTED
  }

  boolean isFlagged(long flag) {
    return (offset & flag) != 0;
  }

  /** True if it changes which names there are. */
  boolean changesNames() {
    return switch (kind) {
      case OPEN -> isFlagged(CREATED);
      case RENAME, UNLINK, MKDIR -> true;
      case WRITE, TRUNCATE, SYNC, PRINTED -> false;
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DiskOperation same && same.at == at;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(at);
  }

  @Override
  public String toString() {
    return "%d: %s %s of file %d, offset %d, %d bytes: %s"
        .formatted(
            at,
            kind,
            path.replace('\n', ' '),
            file,
            offset,
            data.length,
            Arrays.toString(Arrays.copyOf(data, Math.min(8, data.length))));
  }
}
