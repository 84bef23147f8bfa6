package dev.stint.build;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The format of Java: google-java-format. */
final class JavaFormat implements SourceFormat {
  @Override
  public boolean covers(Path file) {
    return file.toString().endsWith(".java");
  }

  @Override
  public List<String> check(List<Path> files) {
    return files.parallelStream()
        .filter(file -> !format(file).equals(read(file)))
        .map(file -> "not formatted: " + file)
        .toList();
  }

  @Override
  public List<String> apply(List<Path> files) {
    for (Path file : files) {
      String formatted = format(file);
      if (!formatted.equals(read(file))) {
        write(file, formatted);
      }
    }
    return List.of();
  }

  private static String format(Path file) {
    try {
      String imports =
          ImportOrderer.reorderImports(
              RemoveUnusedImports.removeUnusedImports(read(file)),
              JavaFormatterOptions.Style.GOOGLE);
      return new Formatter().formatSource(imports);
    } catch (FormatterException fault) {
      throw new IllegalStateException(file + ": " + fault.getMessage(), fault);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
