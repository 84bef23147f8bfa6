package dev.stint.store.engine;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds RocksDB's native library without unpacking 17 MB at each start: in the directory of the
 * system property {@value #DIRECTORY_PROPERTY} if it is there, else in the user's cache, where it
 * is unpacked once for each version.
 */
public final class RocksLibrary {
  /** System property: a directory that holds {@link #fileName()}. */
  public static final String DIRECTORY_PROPERTY = "stint.native.dir";

  private static final Logger LOG = LoggerFactory.getLogger(RocksLibrary.class);

  private RocksLibrary() {}

  /** Returns RocksDB's name for its library on this platform. */
  static String fileName() {
    return Environment.getJniLibraryFileName("rocksdbjni");
  }

  /**
   * Unpacks the library into a directory, unless it is there.
   *
   * @throws IOException it cannot be written, or there is none for this platform
   */
  public static void unpackInto(Path directory) throws IOException {
    Path library = directory.resolve(fileName());
    if (Files.exists(library)) {
      return;
    }
    Files.createDirectories(directory);
    Path unfinished = Files.createTempFile(directory, "unfinished", null);
    try (InputStream in = packed()) {
      Files.copy(in, unfinished, REPLACE_EXISTING);
      Files.move(unfinished, library, ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /**
   * Loads the library. Call it before any other class of RocksDB is used, as their static
   * initialisers unpack it again.
   */
  public static synchronized void load() throws IOException {
    try {
      load(directory());
    } catch (UnsatisfiedLinkError e) {
      throw new IOException("cannot load the native library: " + e.getMessage(), e);
    }
  }

  private static void load(@Nullable Path directory) {
    if (directory == null) {
      RocksDB.loadLibrary();
    } else {
      RocksDB.loadLibrary(List.of(directory.toString()));
    }
  }

  /** Returns the library's directory; null if it can only be unpacked for this process. */
  private static @Nullable Path directory() throws IOException {
    String given = System.getProperty(DIRECTORY_PROPERTY);
    if (given != null && Files.exists(Path.of(given, fileName()))) {
      return Path.of(given).toAbsolutePath();
    }
    Path cache = cache().resolve("rocksdbjni-" + version()).toAbsolutePath();
    try {
      unpackInto(cache);
      return cache;
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("Cannot write {}, so each start takes longer: {}", cache, e.toString());
      return null;
    }
  }

  private static Path cache() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path home =
        xdg == null || xdg.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return home.resolve("stint");
  }

  private static InputStream packed() throws IOException {
    String name = Environment.getJniLibraryFileName("rocksdb");
    InputStream in = RocksDB.class.getResourceAsStream("/" + name);
    if (in == null) {
      throw new FileNotFoundException("RocksDB has no native library " + name);
    }
    return in;
  }

  private static String version() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = RocksLibrary.class.getResourceAsStream("rocksdb.properties")) {
      properties.load(in);
    }
    return properties.getProperty("version");
  }
}
