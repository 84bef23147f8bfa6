package dev.stint.testkit.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The user's directory with unpacked jars, which all test JVMs share. Each version of the jars has
 * a key, which is in the name of its directory. A JVM that uses it has a lock until it ends,
 * however it ends: on the byte with this number of a file that is never written.
 */
record JarCache(Path directory, InstantSource clock) {
  /** The number of versions that stay although nobody uses them. */
  static final int KEPT = 3;

  private static final Pattern NAME = Pattern.compile("testkit-([0-9a-f]{1,8})");

  /** Kept open: to close such a file releases the locks. */
  private static final Queue<FileChannel> HELD = new ConcurrentLinkedQueue<>();

  /**
   * Returns the directory of a version, which stays until this JVM ends. Where files cannot be
   * locked, as on some network file systems, nothing is removed.
   */
  Path use(long key) throws IOException {
    Files.createDirectories(directory);
    FileChannel locks = lock(key);
    Path home = Files.createDirectories(directory.resolve("testkit-" + Long.toHexString(key)));
    Files.setLastModifiedTime(home, FileTime.from(clock.instant()));
    if (locks != null) {
      clean(locks);
    }
    return home;
  }

  private @Nullable FileChannel lock(long key) {
    try {
      FileChannel locks =
          FileChannel.open(
              directory.resolve("testkit.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      HELD.add(locks);
      lock(locks, key);
      return locks;
    } catch (IOException unsupported) {
      return null;
    }
  }

  private static void lock(FileChannel locks, long key) throws IOException {
    try {
      locks.lock(key, 1, true);
    } catch (OverlappingFileLockException held) {
      // This JVM has the lock already.
    }
  }

  private void clean(FileChannel locks) {
    try {
      longestUnused().forEach(each -> removeUnlessUsed(each, locks));
    } catch (IOException | DirectoryIteratorException failed) {
      // Another JVM may clean up at this moment; the next one tries again.
    }
  }

  /** Returns all versions but those that were used last. */
  private List<Path> longestUnused() throws IOException {
    record Version(Path path, FileTime used) {}
    List<Version> all = new ArrayList<>();
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(directory, path -> key(path) >= 0)) {
      for (Path each : found) {
        all.add(new Version(each, Files.getLastModifiedTime(each)));
      }
    }
    return all.stream()
        .sorted(Comparator.comparing(Version::used).reversed())
        .skip(KEPT)
        .map(Version::path)
        .toList();
  }

  /** Returns the key in the name of a directory, or -1. */
  private static long key(Path version) {
    Matcher name = NAME.matcher(version.getFileName().toString());
    return name.matches() ? Long.parseLong(name.group(1), 16) : -1;
  }

  private static void removeUnlessUsed(Path version, FileChannel locks) {
    try (FileLock lock = tryLock(locks, key(version))) {
      if (lock != null) {
        deleteAll(version);
      }
    } catch (IOException | DirectoryIteratorException failed) {
      // Tests do not depend on it, and the next JVM tries again.
    }
  }

  private static @Nullable FileLock tryLock(FileChannel locks, long key) throws IOException {
    try {
      return locks.tryLock(key, 1, false);
    } catch (OverlappingFileLockException held) {
      return null; // This JVM uses it.
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path each : files) {
        Files.delete(each);
      }
    }
    Files.delete(directory);
  }
}
