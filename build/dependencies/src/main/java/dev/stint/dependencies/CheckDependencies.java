package dev.stint.dependencies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Fails the build when a third-party jar on the class path is not the one that the repository
 * lists. Arguments: the list, a file that holds the class path, and {@code check}, {@code
 * check-part} for a class path with some of these jars, or {@code record} to write the list anew.
 */
final class CheckDependencies {
  private CheckDependencies() {}

  public static void main(String[] args) throws IOException {
    Path list = Path.of(args[0]);
    Checksums actual = Checksums.of(thirdPartyJars(Files.readString(Path.of(args[1])).strip()));
    if (args[2].equals("record")) {
      Files.writeString(list, actual.text());
      return;
    }
    Checksums listed = Checksums.read(list);
    List<String> differences =
        (args[2].equals("check-part") ? listed.only(actual) : listed).differences(actual);
    if (!differences.isEmpty()) {
      differences.forEach(line -> System.err.println(list + ": " + line));
      System.err.println(
          "A dependency differs from the recorded one. If you changed it on purpose, run:"
              + " mvn process-classes -pl cli -am -Dquick -Ddependencies=record");
      System.exit(1);
    }
  }

  /** Returns the jars of a class path that are not Stint's own. */
  static List<Path> thirdPartyJars(String classPath) {
    return Pattern.compile(System.getProperty("path.separator"), Pattern.LITERAL)
        .splitAsStream(classPath)
        .map(Path::of)
        .filter(path -> path.getFileName().toString().endsWith(".jar"))
        .filter(path -> !path.getFileName().toString().startsWith("stint-"))
        .toList();
  }
}
