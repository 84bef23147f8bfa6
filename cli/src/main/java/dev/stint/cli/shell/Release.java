package dev.stint.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The release of Stint that is running. Its file {@code release} is made by {@code build/release};
 * a build from sources has none.
 *
 * @param version such as {@code 0.1.0}
 * @param commit the full hash of the commit that it was made from; null in a build from sources
 * @param date the time of that commit, in ISO 8601; null in a build from sources
 */
record Release(String version, @Nullable String commit, @Nullable String date) {
  /** System property: the directory that the release is unpacked in. */
  static final String HOME_PROPERTY = "stint.home";

  /** Returns the release in the directory of {@value #HOME_PROPERTY}, or the build from sources. */
  static Release current() {
    String home = System.getProperty(HOME_PROPERTY);
    return home == null ? new Release(sources(), null, null) : in(Path.of(home));
  }

  /** Returns the release in a directory; a build from sources if it cannot be read. */
  static Release in(Path home) {
    Properties properties = new Properties();
    try (Reader file = Files.newBufferedReader(home.resolve("release"))) {
      properties.load(file);
    } catch (IOException | IllegalArgumentException unreadable) {
      return new Release(sources(), null, null);
    }
    return new Release(
        properties.getProperty("version", sources()),
        properties.getProperty("commit"),
        properties.getProperty("date"));
  }

  /** Returns the version of the sources. */
  private static String sources() {
    try (InputStream text = Release.class.getResourceAsStream("version.txt")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8)
          .strip();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
