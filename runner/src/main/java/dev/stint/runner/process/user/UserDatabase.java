package dev.stint.runner.process.user;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks up this machine's users. */
public final class UserDatabase {
  private static final Path FILE = Path.of("/etc/passwd");

  /** No ID of the system has more digits. */
  private static final Predicate<String> NUMBER = Pattern.compile("[0-9]{1,10}").asMatchPredicate();

  private UserDatabase() {}

  /** Returns the group of a user; root's if the machine does not know the user. */
  public static long group(long user) {
    return line(user).map(fields -> Long.parseLong(fields[3])).orElse(0L);
  }

  /**
   * Returns the home directory of a user; the root directory if the machine does not know the user.
   */
  public static String home(long user) {
    return line(user).map(fields -> fields[5]).filter(home -> !home.isEmpty()).orElse("/");
  }

  /** Returns a user by its name; empty if this machine does not know it. */
  public static Optional<PodUser> named(String name) {
    return lines()
        .filter(fields -> fields[0].equals(name))
        .map(fields -> new PodUser(Long.parseLong(fields[2]), Long.parseLong(fields[3])))
        .findFirst();
  }

  /** Returns the name of a user with a number between two, both included; empty if none has. */
  public static Optional<String> between(long first, long last) {
    return lines()
        .filter(fields -> first <= Long.parseLong(fields[2]) && Long.parseLong(fields[2]) <= last)
        .map(fields -> fields[0])
        .findFirst();
  }

  private static Optional<String[]> line(long user) {
    return lines().filter(fields -> fields[2].equals(String.valueOf(user))).findFirst();
  }

  private static Stream<String[]> lines() {
    try {
      return users(Files.readAllLines(FILE, StandardCharsets.ISO_8859_1));
    } catch (IOException none) {
      return Stream.empty();
    }
  }

  /**
   * Returns the fields of the lines that describe a user. Others name users of a name service, such
   * as {@code +::::::}.
   */
  static Stream<String[]> users(List<String> lines) {
    return lines.stream()
        .map(line -> line.split(":", -1))
        .filter(fields -> fields.length > 6)
        .filter(fields -> NUMBER.test(fields[2]) && NUMBER.test(fields[3]));
  }
}
