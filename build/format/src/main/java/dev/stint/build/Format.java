package dev.stint.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks ({@code check}) or applies ({@code apply}) the format of every source file below the
 * working directory.
 *
 * <p>{@code check} writes nothing: it prints the files that differ, and exits with 1 if there are
 * any.
 */
public final class Format {
  private static final String HINT =
      "To format all sources: mvn -q process-classes -pl build/format -Dformat=apply";

  private Format() {}

  /** Runs the check; see the class comment for the arguments. */
  public static void main(String[] args) throws IOException {
    boolean apply = args[0].equals("apply");
    List<Path> files = sources();
    List<String> differences =
        formats().parallel().flatMap(format -> run(format, files, apply).stream()).toList();
    if (!differences.isEmpty()) {
      differences.forEach(System.err::println);
      if (!apply) {
        System.err.println(HINT);
      }
      System.exit(1);
    }
  }

  private static Stream<SourceFormat> formats() {
    return Stream.concat(Stream.of(new JavaFormat()), ProgramFormat.all().stream());
  }

  private static List<String> run(SourceFormat format, List<Path> files, boolean apply) {
    List<Path> covered = files.stream().filter(format::covers).toList();
    if (covered.isEmpty()) {
      return List.of();
    }
    return apply ? format.apply(covered) : format.check(covered);
  }

  private static List<Path> sources() throws IOException {
    Path root = Path.of("");
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .filter(
              file -> !file.toString().matches("(.*/)?(target|node_modules|\\.(?!ci/)[^/]*)/.*"))
          .sorted()
          .toList();
    }
  }
}
