package dev.stint.cli.config;

import static java.nio.file.attribute.PosixFilePermission.GROUP_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_WRITE;

import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may write a configuration file. Whoever writes it decides what runs: it can name a
 * kubeconfig with a credential plugin, or the socket of a container engine.
 */
final class FileTrust {
  private static final Path PROCESS = Path.of("/proc/self");

  private FileTrust() {}

  /**
   * Refuses a file that others than this user and root can write.
   *
   * @throws UserException if the file is not safe
   * @throws IOException if its attributes cannot be read
   */
  static void check(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    PosixFileAttributes of = Files.readAttributes(file, PosixFileAttributes.class);
    String reason =
        refusal(
            userOf(file),
            ownUser(PROCESS),
            of.owner().getName(),
            of.group().getName(),
            of.permissions());
    if (reason != null) {
      throw new UserException(file + ": " + reason);
    }
  }

  /** Returns the reason why a file is not safe, and what to do; null if it is safe. */
  static @Nullable String refusal(
      int owner, int user, String ownerName, String group, Set<PosixFilePermission> permissions) {
    if (owner != 0 && owner != user) {
      return "belongs to "
          + ownerName
          + ", who could make Stint run any program as you; name a file of your own with "
          + Configuration.VARIABLE
          + ", or none with "
          + Configuration.VARIABLE
          + "=/dev/null";
    }
    if (permissions.contains(OTHERS_WRITE)) {
      return "everybody can write it, and make Stint run any program as you; run chmod go-w on it";
    }
    // Many systems give each user a group of the same name, in which nobody else is.
    if (permissions.contains(GROUP_WRITE) && !group.equals(ownerName)) {
      return "the group "
          + group
          + " can write it, and make Stint run any program as you; run chmod g-w on it";
    }
    return null;
  }

  /**
   * Returns the ID of this process's user.
   *
   * @param process a directory that belongs to the user, if there is one: not every system has it
   */
  static int ownUser(Path process) throws IOException {
    if (Files.exists(process)) {
      return userOf(process);
    }
    Path own = Files.createTempFile("stint", null);
    try {
      return userOf(own);
    } finally {
      Files.delete(own);
    }
  }

  private static int userOf(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid");
  }
}
