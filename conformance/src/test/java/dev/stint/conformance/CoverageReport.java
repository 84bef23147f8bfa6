package dev.stint.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The coverage of requirements by tests.
 *
 * @param requirements all IDs, in the order of the list
 * @param claims the IDs that tests name, with the files
 */
record CoverageReport(Set<String> requirements, Map<String, Set<String>> claims) {
  private static final Pattern COVERS = Pattern.compile("@Covers\\(\\s*\\{?([^)}]*)\\}?\\s*\\)");

  /** The proposals whose requirements each need a test, or a reason why there is none. */
  private static final Set<String> REQUIRED = Set.of("TR", "SP", "BI", "MB");

  private static final Pattern ID = Pattern.compile("\"([^\"]+)\"");

  /**
   * Reads the requirements, and the test sources of all modules under a directory.
   *
   * @param root the project's directory
   */
  static CoverageReport of(Path root) throws IOException {
    Set<String> requirements = new LinkedHashSet<>();
    List<String> lines = Files.readAllLines(root.resolve("conformance/requirements.tsv"));
    lines.stream().skip(1).map(line -> line.split("\t", 2)[0]).forEach(requirements::add);
    Map<String, Set<String>> claims = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = String.valueOf(dir.getFileName());
            return name.equals("target") || name.startsWith(".") && !dir.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = root.relativize(file).toString();
            if (path.endsWith(".java") && path.contains("src/test/")) {
              ids(read(file))
                  .forEach(id -> claims.computeIfAbsent(id, _ -> new TreeSet<>()).add(path));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return new CoverageReport(requirements, claims);
  }

  /** Returns the IDs that the annotations of a source name. */
  static Set<String> ids(String source) {
    Set<String> ids = new TreeSet<>();
    Matcher covers = COVERS.matcher(source);
    while (covers.find()) {
      Matcher id = ID.matcher(covers.group(1));
      while (id.find()) {
        ids.add(id.group(1));
      }
    }
    return ids;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns the unknown IDs that tests name, with the files. */
  Map<String, Set<String>> unknown() {
    Map<String, Set<String>> unknown = new TreeMap<>(claims);
    unknown.keySet().removeAll(requirements);
    return unknown;
  }

  /** Returns the requirements that no test names. */
  List<String> uncovered() {
    return requirements.stream().filter(id -> !claims.containsKey(id)).toList();
  }

  /**
   * Returns the requirements of KEP-2307, KEP-3998, KEP-3850 and KEP-4368 that no test names.
   *
   * @param excused IDs to leave out
   */
  List<String> missing(Set<String> excused) {
    return uncovered().stream()
        .filter(id -> REQUIRED.contains(group(id)) && !excused.contains(id))
        .toList();
  }

  /** Returns those of these IDs that a test names, or that are not a requirement. */
  List<String> needlesslyExcused(Set<String> excused) {
    return excused.stream()
        .filter(id -> claims.containsKey(id) || !requirements.contains(id))
        .sorted()
        .toList();
  }

  private static String group(String id) {
    return id.split("-", 2)[0];
  }

  /** Returns the number of covered requirements of each group, such as {@code TR 40/60}. */
  String summary() {
    Map<String, int[]> groups = new TreeMap<>();
    for (String id : requirements) {
      int[] count = groups.computeIfAbsent(group(id), _ -> new int[2]);
      count[0] += claims.containsKey(id) ? 1 : 0;
      count[1]++;
    }
    StringBuilder text = new StringBuilder("requirements covered by tests:");
    groups.forEach((group, count) ->
        text.append(' ').append(group).append(' ').append(count[0]).append('/').append(count[1]));
    return text.toString();
  }
}
