package dev.stint.testkit.document;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A pattern of files, such as {@code crds/*.yaml}. It names files on the class path, or else in the
 * file system, relative to the working directory. The prefixes {@code classpath:} and {@code file:}
 * choose one of the two.
 *
 * @param text as the test wrote it
 */
public record FilePattern(String text) {
  private static final String CLASS_PATH = "classpath:";
  private static final String FILE = "file:";
  private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

  /**
   * Returns the files that match, by name.
   *
   * @throws IllegalArgumentException if there are none
   */
  public List<FoundFile> find(ClassLoader classPath) throws IOException {
    List<FoundFile> found = new ArrayList<>();
    if (!text.startsWith(FILE)) {
      found.addAll(onClassPath(without(CLASS_PATH), classPath));
    }
    if (found.isEmpty() && !text.startsWith(CLASS_PATH)) {
      found.addAll(inFileSystem(without(FILE)));
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "no file matches \"%s\": neither on the class path nor in %s"
              .formatted(text, Path.of("").toAbsolutePath()));
    }
    found.sort(Comparator.comparing(FoundFile::name));
    return found;
  }

  private String without(String prefix) {
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  private static List<FoundFile> onClassPath(String pattern, ClassLoader classPath)
      throws IOException {
    String directory = directory(pattern);
    String start = isPattern(pattern) ? directory : pattern;
    List<FoundFile> found = new ArrayList<>();
    for (URL url : Collections.list(classPath.getResources(start))) {
      if (!isPattern(pattern)) {
        found.add(new FoundFile(pattern, read(url)));
      } else if (url.openConnection() instanceof JarURLConnection jar) {
        found.addAll(inJar(path(jar.getJarFileURL()), pattern));
      } else if (url.getProtocol().equals("file")) {
        found.addAll(below(path(url), directory, pattern));
      }
    }
    return found;
  }

  private static String read(URL url) throws IOException {
    return read(url.openStream());
  }

  private static String read(InputStream from) throws IOException {
    try (from) {
      return new String(from.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Reads the jar itself: the runtime of a release has no file system of jars. */
  private static List<FoundFile> inJar(Path library, String pattern) throws IOException {
    List<FoundFile> found = new ArrayList<>();
    try (ZipFile jar = new ZipFile(library.toFile())) {
      for (ZipEntry file : Collections.list(jar.entries())) {
        if (!file.isDirectory() && matches(pattern, file.getName())) {
          found.add(new FoundFile(file.getName(), read(jar.getInputStream(file))));
        }
      }
    }
    return found;
  }

  private static List<FoundFile> inFileSystem(String pattern) throws IOException {
    if (isPattern(pattern)) {
      String directory = directory(pattern);
      return below(Path.of(directory), directory, pattern);
    }
    Path file = Path.of(pattern);
    return Files.isRegularFile(file)
        ? List.of(new FoundFile(pattern, Files.readString(file)))
        : List.of();
  }

  /**
   * Returns the files that match below a directory.
   *
   * @param name of the directory, as in the pattern
   */
  private static List<FoundFile> below(Path directory, String name, String pattern)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<FoundFile> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        String relative = directory.relativize(file).toString().replace('\\', '/');
        String full = name.isEmpty() ? relative : name + "/" + relative;
        if (matches(pattern, full)) {
          found.add(new FoundFile(full, Files.readString(file)));
        }
      }
    }
    return found;
  }

  /** True if a name matches; two asterisks and a slash stand for no directories, too. */
  private static boolean matches(String pattern, String name) {
    return matcher(pattern).matches(Path.of(name))
        || matcher(pattern.replace("**/", "")).matches(Path.of(name));
  }

  private static PathMatcher matcher(String pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
  }

  private static boolean isPattern(String pattern) {
    return WILDCARD.matcher(pattern).find();
  }

  /** Returns the directory that all files are in. */
  private static String directory(String pattern) {
    var wildcard = WILDCARD.matcher(pattern);
    String fixed = wildcard.find() ? pattern.substring(0, wildcard.start()) : pattern;
    int slash = fixed.lastIndexOf('/');
    return slash < 0 ? "" : fixed.substring(0, slash);
  }

  private static Path path(URL url) throws IOException {
    try {
      return Path.of(new URI(url.toString()));
    } catch (URISyntaxException strange) {
      throw new IOException("cannot read " + url, strange);
    }
  }
}
