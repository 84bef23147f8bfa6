package dev.stint.runner.log;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of one attempt of a container: {@code <container>.<number>.stdout} and {@code .stderr},
 * which the container writes by itself, and {@code .times}, which says when they grew.
 *
 * @param dir of the pod
 * @param number of the attempt, from 0
 */
public record LogFiles(Path dir, String container, int number) {
  private static final Pattern NAME = Pattern.compile("(.+)\\.(\\d{1,9})\\.(stdout|stderr)");

  public Path path(LogStream stream) {
    return dir.resolve(container + "." + number + "." + stream.suffix());
  }

  /** Where the times are; there is none where nothing was printed for long. */
  public Path times() {
    return dir.resolve(container + "." + number + ".times");
  }

  /** The size of what was printed, in bytes; 0 where there is nothing yet. */
  long size(LogStream stream) {
    return path(stream).toFile().length();
  }

  /** The numbers of the attempts of each container that something is kept of, in order. */
  public static TreeMap<String, TreeSet<Integer>> in(Path dir) throws IOException {
    TreeMap<String, TreeSet<Integer>> found = new TreeMap<>();
    if (!Files.isDirectory(dir)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          found
              .computeIfAbsent(name.group(1), _ -> new TreeSet<>())
              .add(Integer.parseInt(name.group(2)));
        }
      }
    }
    return found;
  }
}
