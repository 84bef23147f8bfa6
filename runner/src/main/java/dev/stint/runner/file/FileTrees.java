package dev.stint.runner.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Deletes and measures trees of files that processes may change meanwhile. Follows no link, enters
 * no mount, and needs few open files however deep a tree is.
 */
public final class FileTrees {
  /** The depth that is worked on at once; each level takes an open file. */
  static final int LEVELS = 64;

  /** A directory is listed in pieces, so that a large one does not fill the memory. */
  private static final int AT_ONCE = 4096;

  /** The number of passes over directories of one tree in which processes may still make files. */
  private static final int PASSES = 10_000;

  private FileTrees() {}

  /**
   * Deletes a file, or a directory with all that is in it; does nothing if it does not exist.
   *
   * @throws IOException something cannot be deleted, such as a mount or a directory of another
   *     user; all else is deleted
   */
  public static void delete(Path path) throws IOException {
    Path whole = path.toAbsolutePath();
    try (Handle parent = Handle.open(Objects.requireNonNull(whole.getParent()))) {
      new Removal(whole).delete(parent, LibraryCalls.bytes(whole.getFileName()), 0);
    } catch (NoSuchFileException | NotDirectoryException gone) {
      // Nothing is left to delete.
    }
  }

  /**
   * True if the files in a directory are larger together than a number of bytes, or nested deeper
   * than can be measured. Files that come and go meanwhile may count or not.
   */
  public static boolean isLarger(Path directory, long bytes) throws IOException {
    try (Handle top = Handle.open(directory)) {
      Sum sum = new Sum(bytes);
      sum.add(top, top.state().mount(), 0);
      return sum.isOver();
    }
  }

  /** Deletes one tree. Directories that are too deep are moved up to its top first. */
  private static final class Removal {
    /** Errors that only mean that a process was faster, or has taken a name: another pass helps. */
    private static final Set<Integer> CHANGED =
        Set.of(
            LibraryCalls.ENOENT, LibraryCalls.ENOTDIR, LibraryCalls.EEXIST, LibraryCalls.ENOTEMPTY);

    private final Path whole;
    private final List<Handle> levels = new ArrayList<>();
    private int moved;
    private int passes;

    Removal(Path whole) {
      this.whole = whole;
    }

    void delete(Handle parent, byte[] name, int depth) throws IOException {
      while (passes < PASSES) {
        int result = unlink(parent, name, 0);
        if (result == 0 || result == -LibraryCalls.ENOENT) {
          return;
        }
        if (result != -LibraryCalls.EISDIR) {
          throw LibraryCalls.fault(-result, describe(name));
        }
        if (depth >= LEVELS) {
          moveUp(parent, name);
          return;
        }
        deleteDirectory(parent, name, depth);
      }
      throw new DirectoryNotEmptyException(describe(name));
    }

    /** Empties and removes a directory; another try shows whether that worked. */
    private void deleteDirectory(Handle parent, byte[] name, int depth) throws IOException {
      int opened = parent.openDirectory(name);
      if (CHANGED.contains(-opened)) {
        passes++;
        return;
      }
      if (opened < 0) {
        throw LibraryCalls.fault(-opened, describe(name));
      }
      try (Handle directory = Handle.of(opened)) {
        if (directory.state().mount() != parent.state().mount()) {
          throw new FileSystemException(describe(name), null, "is a mount");
        }
        levels.add(directory);
        try {
          empty(directory, depth);
        } finally {
          levels.removeLast();
        }
      }
      int removed = unlink(parent, name, LibraryCalls.REMOVE_DIRECTORY);
      if (removed < 0 && !CHANGED.contains(-removed)) {
        throw LibraryCalls.fault(-removed, describe(name));
      }
      passes += removed < 0 ? 1 : 0;
    }

    /** Deletes entries of a directory: many, or all that can be if one cannot. */
    private void empty(Handle directory, int depth) throws IOException {
      Set<ByteBuffer> stuck = new HashSet<>();
      IOException fault = null;
      List<byte[]> names = entries(directory, stuck);
      while (!names.isEmpty()) {
        for (byte[] entry : names) {
          try {
            delete(directory, entry, depth + 1);
          } catch (IOException why) {
            stuck.add(ByteBuffer.wrap(entry));
            fault = fault == null ? why : fault;
          }
        }
        boolean more = fault != null && stuck.size() < AT_ONCE && passes++ < PASSES;
        names = more ? entries(directory, stuck) : List.of();
      }
      if (fault != null) {
        throw fault;
      }
    }

    private static List<byte[]> entries(Handle directory, Set<ByteBuffer> without)
        throws IOException {
      List<byte[]> names = new ArrayList<>();
      LibraryCalls.Entries collect =
          name -> {
            if (!without.contains(ByteBuffer.wrap(name))) {
              names.add(name);
            }
            return names.size() < AT_ONCE;
          };
      try {
        directory.list(collect);
      } catch (AccessDeniedException closed) {
        directory.setPermissions(0700);
        directory.list(collect);
      }
      return names;
    }

    /** Deletes an entry; a container may have made its directory read-only. */
    private static int unlink(Handle parent, byte[] name, int flags) throws IOException {
      int result = parent.unlink(name, flags);
      if (result == -LibraryCalls.EACCES) {
        parent.setPermissions(0700);
        result = parent.unlink(name, flags);
      }
      return result;
    }

    private void moveUp(Handle parent, byte[] name) throws IOException {
      byte[] free = (".stint-removed-" + moved++).getBytes(StandardCharsets.US_ASCII);
      int result = parent.move(name, levels.getFirst(), free);
      if (result < 0 && !CHANGED.contains(-result)) {
        throw LibraryCalls.fault(-result, describe(name));
      }
    }

    private String describe(byte[] name) {
      return whole + (levels.isEmpty() ? "" : " (" + Handle.text(name) + ")");
    }
  }

  /** Adds up the sizes of files. */
  private static final class Sum {
    private final long most;
    private long sum;
    private boolean deep;

    Sum(long most) {
      this.most = most;
    }

    boolean isOver() {
      return deep || sum > most;
    }

    void add(Handle directory, long mount, int depth) throws IOException {
      directory.list(name -> {
        try {
          add(directory, name, mount, depth);
        } catch (NoSuchFileException | AccessDeniedException gone) {
          // It does not count.
        }
        return !isOver();
      });
    }

    private void add(Handle directory, byte[] name, long mount, int depth) throws IOException {
      FileState state = directory.state(name);
      if (!state.isDirectory()) {
        sum += state.size();
        return;
      }
      int opened = directory.openDirectory(name);
      if (opened < 0) {
        return;
      }
      try (Handle inner = Handle.of(opened)) {
        deep |= depth >= LEVELS;
        if (!deep && inner.state().mount() == mount) {
          add(inner, mount, depth + 1);
        }
      }
    }
  }
}
