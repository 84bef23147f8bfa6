package dev.stint.build;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
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

  /**
   * Matches the names of directories without sources: those of builds, and hidden ones but CI's.
   */
  private static final Pattern SKIPPED = Pattern.compile("target|node_modules|\\.(?!ci$).*");

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

  /** Returns all files but those of builds, which come and go while they are looked for. */
  private static List<Path> sources() throws IOException {
    Path root = Path.of("");
    List<Path> sources = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return directory.equals(root)
                    || !SKIPPED.matcher(directory.getFileName() + "").matches()
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources.stream().sorted().toList();
  }
}
