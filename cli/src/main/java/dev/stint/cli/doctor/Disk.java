package dev.stint.cli.doctor;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.DurationConverter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Facts about the file system of the data directory.
 *
 * @param type such as {@code ext4}
 * @param free the bytes that this user may still write
 * @param sync the time to get one small write to disk, the median of some
 * @param skew the time between the clocks of the file system and of this machine
 */
record Disk(String type, long free, Duration sync, Duration skew) {
  private static final int WRITES = 21;
  private static final int BYTES = 4096;

  /** Less than what the logs of a few Jobs take. */
  private static final long LITTLE_BYTES = 1L << 30;

  private static final Duration SLOW_SYNC = Duration.ofMillis(20);

  /** Faster than any disk answers. */
  private static final Duration NO_SYNC = Duration.ofNanos(10_000);

  private static final Duration MOST_SKEW = Duration.ofSeconds(2);

  /** File systems that forget everything when the machine restarts. */
  private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs");

  /** File systems of other machines. */
  private static final Set<String> REMOTE =
      Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs");

  /** Measures in a directory. */
  static Disk of(Path directory) throws IOException {
    Path file = directory.resolve("sync");
    long[] nanos = new long[WRITES];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int i = 0; i < WRITES; i++) {
        long start = System.nanoTime();
        channel.write(ByteBuffer.allocate(BYTES), (long) i * BYTES);
        channel.force(false);
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    Duration skew =
        Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now()).abs();
    return new Disk(
        typeOf(directory),
        directory.toFile().getUsableSpace(),
        Duration.ofNanos(nanos[WRITES / 2]),
        skew);
  }

  private static String typeOf(Path directory) {
    try {
      return Files.getFileStore(directory).type();
    } catch (IOException notMounted) {
      return "unknown: no mount is listed for it, as in a chroot";
    }
  }

  List<Finding> findings() {
    return List.of(kind(), room(), syncing(), clock());
  }

  private Finding kind() {
    if (VOLATILE.contains(type)) {
      return Finding.note(
          "file system",
          type + " keeps nothing when the machine restarts",
          "name a directory on a disk with --data, if Jobs are to survive that");
    }
    return REMOTE.contains(type)
        ? Finding.note(
            "file system",
            type + " is on another machine, which must keep locks and what was synced",
            "prefer a local disk, with --data")
        : Finding.ok("file system", type);
  }

  private Finding room() {
    String free = ByteSizeConverter.brief(free()) + " free";
    return free() < LITTLE_BYTES
        ? Finding.note(
            "disk space",
            free,
            "free some, or name a directory elsewhere with --data: an attempt that ends on a full"
                + " disk may run again")
        : Finding.ok("disk space", free);
  }

  private Finding syncing() {
    String took = "a write is on disk after %s".formatted(millis(sync));
    if (sync.compareTo(NO_SYNC) < 0 && !VOLATILE.contains(type)) {
      return Finding.note(
          "sync",
          took + ", which no disk can do",
          "find out whether this file system ignores fsync: a power failure may lose what it has"
              + " acknowledged");
    }
    return sync.compareTo(SLOW_SYNC) > 0
        ? Finding.note(
            "sync",
            took,
            "use a faster disk, or --durability relaxed if a power failure may cost the last"
                + " writes")
        : Finding.ok("sync", took);
  }

  private static String millis(Duration span) {
    return span.toMillis() >= 10
        ? DurationConverter.took(span)
        : String.format(java.util.Locale.ROOT, "%.2fms", span.toNanos() / 1e6);
  }

  private Finding clock() {
    return skew.compareTo(MOST_SKEW) > 0
        ? Finding.note(
            "clock",
            "differs by " + DurationConverter.took(skew) + " from that of the file system",
            "synchronise the clocks of both machines (NTP)")
        : Finding.ok("clock", "agrees with that of the file system");
  }
}
