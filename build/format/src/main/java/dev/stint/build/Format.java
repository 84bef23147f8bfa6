package dev.stint.build;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks ({@code check ROOT}) or applies ({@code apply ROOT}) the source format to every Java file
 * below ROOT.
 *
 * <p>Exit status 1 names each file that differs; nothing is written by {@code check}.
 */
public final class Format {
  private Format() {}

  /** Runs the check; see the class comment for the arguments. */
  public static void main(String[] args) throws IOException {
    boolean apply = args[0].equals("apply");
    int differing = 0;
    for (Path file : sources(Path.of(args[1]))) {
      if (differs(file, apply) && !apply) {
        System.err.println("not formatted: " + file);
        differing++;
      }
    }
    if (differing > 0) {
      System.err.println(
          differing + " files differ; run: mvn -q process-classes -pl build/format -Dformat=apply");
      System.exit(1);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !root.relativize(file).toString().matches("(.*/)?(target|\\..*)/.*"))
          .sorted()
          .toList();
    }
  }

  private static boolean differs(Path file, boolean apply) throws IOException {
    String source = Files.readString(file);
    String formatted = format(file, source);
    if (formatted.equals(source)) {
      return false;
    }
    if (apply) {
      Files.writeString(file, formatted);
    }
    return true;
  }

  private static String format(Path file, String source) {
    try {
      String imports =
          ImportOrderer.reorderImports(
              RemoveUnusedImports.removeUnusedImports(source), JavaFormatterOptions.Style.GOOGLE);
      return new Formatter().formatSource(imports);
    } catch (FormatterException fault) {
      throw new IllegalStateException(file + ": " + fault.getMessage(), fault);
    }
  }
}
