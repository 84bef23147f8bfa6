package dev.stint.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
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
        : unpacked(archive(), new JarCache(caches(), InstantSource.system()))
            + File.separator
            + "*";
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

  private static Path caches() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    return xdg == null || xdg.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".cache", "stint")
        : Path.of(xdg, "stint");
  }

  /** Unpacks the jars inside a jar, unless they are there, and returns their directory. */
  static Path unpacked(Path jar, JarCache cache) throws IOException {
    try (ZipFile archive = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> jars =
          archive.stream()
              .filter(entry -> entry.getName().startsWith(PLACE) && !entry.isDirectory())
              .toList();
      if (jars.isEmpty()) {
        throw new IOException(jar + " has no jars of the control plane");
      }
      Path home = cache.use(key(jars));
      for (ZipEntry each : jars) {
        unpack(archive, each, home);
      }
      return home;
    }
  }

  private static long key(List<? extends ZipEntry> jars) {
    CRC32 sum = new CRC32();
    for (ZipEntry each : jars) {
      String line = each.getName() + " " + each.getSize() + " " + each.getCrc() + "\n";
      sum.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return sum.getValue();
  }

  /** Unpacks a jar beside its place and moves it there, so that nobody sees half of it. */
  private static void unpack(ZipFile archive, ZipEntry entry, Path home) throws IOException {
    Path jar = home.resolve(Path.of(entry.getName()).getFileName());
    if (isWhole(jar, entry)) {
      return;
    }
    Path fresh = Files.createTempFile(home, "", ".part");
    try {
      try (InputStream bytes = archive.getInputStream(entry)) {
        Files.copy(bytes, fresh, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(fresh, jar, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException fault) {
      if (!isWhole(jar, entry)) { // Another JVM may have been faster, and use it already.
        throw fault;
      }
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static boolean isWhole(Path jar, ZipEntry entry) throws IOException {
    return Files.isRegularFile(jar) && Files.size(jar) == entry.getSize();
  }
}
