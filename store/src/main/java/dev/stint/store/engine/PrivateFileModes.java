package dev.stint.store.engine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.MemTableInfo;
import org.rocksdb.TableFileCreationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the files of a database readable by their owner only. RocksDB creates them for everybody,
 * whenever it begins a new log or a new table, and the file mode mask of this process is also that
 * of pods. Until such a file has its mode, that of the directory protects it.
 */
final class PrivateFileModes extends AbstractEventListener {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateFileModes.class);
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");

  private final Path directory;

  PrivateFileModes(Path directory) {
    super(EnabledEventCallback.ON_TABLE_FILE_CREATED, EnabledEventCallback.ON_MEMTABLE_SEALED);
    this.directory = directory;
  }

  @Override
  public void onTableFileCreated(TableFileCreationInfo created) {
    enforce();
  }

  /** Called when RocksDB has begun another log. */
  @Override
  public void onMemTableSealed(MemTableInfo sealed) {
    enforce();
  }

  /** Changes the modes of all files that others may read. */
  void enforce() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        enforce(file);
      }
    } catch (IOException fault) {
      LOG.warn(
          "Cannot make all files in {} readable by their owner only; the directory's own mode"
              + " protects them: {}",
          directory,
          fault.toString());
    }
  }

  private static void enforce(Path file) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    try {
      if (view != null
          && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && !view.readAttributes().permissions().equals(OWNER)) {
        view.setPermissions(OWNER);
      }
    } catch (NoSuchFileException gone) {
      // RocksDB removes files that it no longer needs.
    }
  }
}
