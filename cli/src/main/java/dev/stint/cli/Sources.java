package dev.stint.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The files that a command is given, {@code -} for standard input among them. */
final class Sources {
  private static final String STANDARD_INPUT = "-";

  private Sources() {}

  /** What a file is called in messages. */
  static String nameOf(String file) {
    return file.equals(STANDARD_INPUT) ? "standard input" : file;
  }

  /**
   * The bytes of a file.
   *
   * @throws UserException where it cannot be read, or is empty
   */
  static byte[] read(String file, Console console) {
    byte[] bytes = bytes(file, console);
    if (bytes.length == 0) {
      throw new UserException(nameOf(file) + ": is empty; it should hold a Job");
    }
    return bytes;
  }

  private static byte[] bytes(String file, Console console) {
    try {
      if (file.equals(STANDARD_INPUT)) {
        return console.in().readAllBytes();
      }
      Path path = Path.of(file);
      if (!Files.exists(path)) {
        throw new UserException(file + ": no such file");
      }
      if (Files.isDirectory(path)) {
        throw new UserException(file + ": is a directory; name the files in it");
      }
      return Files.readAllBytes(path);
    } catch (AccessDeniedException denied) {
      throw new UserException(file + ": may not be read; see its permissions");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException(nameOf(file) + ": cannot be read: " + fault.getMessage());
    }
  }
}
