package dev.stint.cli.location;

import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import dev.stint.embedded.data.DataLayout;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The data directory, which holds Stint's durable state.
 *
 * @param path absolute; need not exist yet
 */
public record DataLocation(Path path) {
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(20);

  /**
   * Returns the directory to use: the one that {@code --data} names, else {@code
   * $XDG_DATA_HOME/stint}, else {@code ~/.local/share/stint}.
   *
   * @param named the value of {@code --data}, or null
   * @throws UserException if there is no home directory to put it in
   */
  public static DataLocation of(@Nullable Path named, Map<String, String> environment) {
    if (named != null && named.toString().isEmpty()) {
      throw new UserException("--data is empty; name a directory, or remove the flag");
    }
    if (named != null) {
      return new DataLocation(named.toAbsolutePath().normalize());
    }
    return usual(environment)
        .orElseThrow(() ->
            new UserException(
                "HOME is not set, or is no path in this locale; name a data directory with"
                    + " --data DIR"));
  }

  /** Returns the directory of commands without {@code --data}; empty if there is no home. */
  private static Optional<DataLocation> usual(Map<String, String> environment) {
    try {
      return inHome(environment);
    } catch (InvalidPathException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<DataLocation> inHome(Map<String, String> environment) {
    String shared = environment.getOrDefault("XDG_DATA_HOME", "");
    if (shared.startsWith("/")) { // The XDG base directory specification: ignore relative ones.
      return Optional.of(new DataLocation(Path.of(shared, "stint")));
    }
    String home = environment.getOrDefault("HOME", "");
    return home.isEmpty()
        ? Optional.empty()
        : Optional.of(new DataLocation(Path.of(home, ".local", "share", "stint").toAbsolutePath()));
  }

  /**
   * Returns the flag with which another command finds the directory, with a space before it; empty
   * if it needs none.
   */
  public String flag(Map<String, String> environment) {
    return usual(environment).map(DataLocation::path).filter(path::equals).isPresent()
        ? ""
        : " --data " + ShellQuoting.quoted(path.toString());
  }

  /** Returns where the files of the directory are. */
  public DataLayout layout() {
    return new DataLayout(path);
  }

  /** Returns the file for full reports of Stint's own faults. */
  public Path log() {
    return layout().faults();
  }

  /** Returns the directory of pod logs. */
  public Path logs() {
    return layout().logs();
  }

  /** Returns the directory in which pods work. */
  public Path pods() {
    return layout().pods();
  }

  /**
   * Creates the directory, for this user alone, if it does not exist.
   *
   * @throws UserException if it cannot be created, or this process is root and it is another user's
   */
  public void create() {
    checkOwner();
    try {
      Files.createDirectories(path, privately());
    } catch (FileAlreadyExistsException file) {
      throw new UserException("--data " + path + " is a file; name a directory");
    } catch (IOException fault) {
      throw new UserException(
          "cannot create the data directory %s: %s; name another one with --data DIR"
              .formatted(path, DataDirectory.reason(fault)));
    }
  }

  /**
   * Checks that the directory exists, and that this process may write there.
   *
   * @throws UserException if it does not exist, or this process is root and it is another user's
   */
  public void checkExists() {
    if (!Files.exists(path)) {
      throw new UserException(
          "the data directory %s does not exist; name another one with --data DIR".formatted(path));
    }
    checkOwner();
  }

  private void checkOwner() {
    try {
      DataDirectory.checkOwner(path);
    } catch (DataDirectoryException refused) {
      throw userException(refused);
    }
  }

  /**
   * Opens the directory. Waits for a short command that has it open for a moment, and for a process
   * that has taken the lock and not named itself yet.
   *
   * @throws DataDirectoryException if it is in use, or cannot be used
   */
  public DataDirectory open() throws DataDirectoryException {
    long end = System.nanoTime() + LOCK_TIMEOUT.toNanos();
    while (true) {
      try {
        return DataDirectory.open(path);
      } catch (DataDirectoryException refused) {
        String holder = refused.holder();
        boolean passing = holder != null && new DirectoryHolder(holder).isPassing();
        if (!passing || System.nanoTime() - end > 0) {
          throw refused;
        }
        LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
      }
    }
  }

  /** Returns the holder of a directory's lock in words that users know. */
  public static String readable(String holder) {
    return DirectoryHolder.readable(holder);
  }

  /** Returns the message for a user whose directory has a holder that does not answer. */
  public UserException silent(String holder) {
    return new UserException(
        path()
            + " is in use by "
            + readable(holder)
            + ", which does not answer; is it stopped? Let it go on (kill -CONT), or end it");
  }

  /** Returns the message for a user whose directory has a holder of another version. */
  public UserException otherVersion() {
    return new UserException(
        path()
            + " is in use by another version of Stint; wait until it exits, or choose another"
            + " directory with --data");
  }

  /** Returns the message for a user who cannot open the directory. */
  public static UserException userException(DataDirectoryException refused) {
    return new UserException(readable(String.valueOf(refused.getMessage())));
  }

  private FileAttribute<?>[] privately() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }
}
