package dev.stint.runner.process.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Looks up this machine's users by number. */
final class UserDatabase {
  private static final Path FILE = Path.of("/etc/passwd");

  private UserDatabase() {}

  /** Returns the group of a user; root's if the machine does not know the user. */
  static long group(long user) {
    return line(user).map(fields -> Long.parseLong(fields[3])).orElse(ProcessIdentity.ROOT);
  }

  /**
   * Returns the home directory of a user; the root directory if the machine does not know the user.
   */
  static String home(long user) {
    return line(user).map(fields -> fields[5]).filter(home -> !home.isEmpty()).orElse("/");
  }

  private static Optional<String[]> line(long user) {
    try {
      List<String> lines = Files.readAllLines(FILE, StandardCharsets.ISO_8859_1);
      return lines.stream()
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length > 6 && fields[2].equals(String.valueOf(user)))
          .findFirst();
    } catch (IOException none) {
      return Optional.empty();
    }
  }
}
