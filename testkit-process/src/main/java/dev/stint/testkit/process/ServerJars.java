package dev.stint.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The jars of the control plane, unpacked once for each version into a cache of the user. */
final class ServerJars {
  private static final String PLACE = "META-INF/stint-server/";

  private ServerJars() {}

  /** Returns the class path of the control plane. */
  static String classPath() throws IOException {
    String listed = System.getProperty("stint.testkit.server");
    return listed != null
        ? Files.readString(Path.of(listed)).strip()
        : unpacked(archive(), cache()) + File.separator + "*";
  }

  private static Path archive() throws IOException {
    URL place = ServerJars.class.getClassLoader().getResource(PLACE);
    if (place == null || !(place.openConnection() instanceof JarURLConnection jar)) {
      throw new IOException(
          "stint-testkit-server is not on the class path; stint-testkit-process depends on it");
    }
    try {
      return Path.of(jar.getJarFileURL().toURI());
    } catch (URISyntaxException strange) {
      throw new IOException("cannot read " + place, strange);
    }
  }

  private static Path cache() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    return xdg == null || xdg.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".cache", "stint")
        : Path.of(xdg, "stint");
  }

  /** Unpacks the jars inside a jar, unless they are there, and returns their directory. */
  static Path unpacked(Path jar, Path cache) throws IOException {
    try (ZipFile archive = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> jars =
          archive.stream()
              .filter(entry -> entry.getName().startsWith(PLACE) && !entry.isDirectory())
              .toList();
      if (jars.isEmpty()) {
        throw new IOException(jar + " has no jars of the control plane");
      }
      Path home = cache.resolve("testkit-" + key(jars));
      if (!Files.isDirectory(home)) {
        unpack(archive, jars, home);
      }
      return home;
    }
  }

  private static String key(List<? extends ZipEntry> jars) {
    CRC32 sum = new CRC32();
    for (ZipEntry each : jars) {
      String line = each.getName() + " " + each.getSize() + " " + each.getCrc() + "\n";
      sum.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return Long.toHexString(sum.getValue());
  }

  /** Unpacks beside the place and moves it there, so that nobody sees half of it. */
  private static void unpack(ZipFile archive, List<? extends ZipEntry> jars, Path home)
      throws IOException {
    Files.createDirectories(home.resolveSibling(""));
    Path fresh = Files.createTempDirectory(home.resolveSibling(""), "unpacking");
    for (ZipEntry each : jars) {
      String name = each.getName().substring(PLACE.length());
      try (InputStream bytes = archive.getInputStream(each)) {
        Files.copy(bytes, fresh.resolve(Path.of(name).getFileName()));
      }
    }
    try {
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException another) {
      deleteAll(fresh); // Another test JVM was faster.
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (var files = Files.newDirectoryStream(directory)) {
      for (Path each : files) {
        Files.delete(each);
      }
    }
    Files.delete(directory);
  }
}
