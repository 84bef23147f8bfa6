package dev.stint.bench.disk;

import dev.stint.bench.disk.DiskOperation.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A loss of power, and the directory that it leaves.
 *
 * <p>What was written is durable once a sync that began later has ended. Of the rest, each sector
 * may be there or not. Names are durable once their directory is synced, a new file's also once the
 * file is. Of later changes of names, the first ones may be there, up to any of them: the journals
 * of file systems keep their order.
 */
final class PowerLoss {
  private static final int SECTOR = 512;
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The part of the unsynced data that survives. */
  private enum Mood {
    NOTHING,
    EVERYTHING,
    SOME
  }

  private final List<DiskOperation> operations;
  private final RandomGenerator random;
  private final Map<String, FileContent> byPath = new TreeMap<>();
  private final Map<Long, FileContent> byNumber = new HashMap<>();
  private final List<String> directories = new ArrayList<>();
  private final Map<FileId, Long> syncedUpTo = new HashMap<>();

  /** When the present file of each number was created. */
  private final Map<Long, Long> created = new HashMap<>();

  private final Map<String, Long> syncedPaths = new HashMap<>();

  private PowerLoss(List<DiskOperation> operations, RandomGenerator random) {
    this.operations = operations;
    this.random = random;
  }

  /** A file, since numbers are used again. */
  private record FileId(long number, long created) {}

  /** The bytes of a file. */
  private static final class FileContent {
    private byte[] bytes = new byte[0];
    private int length;

    void write(long offset, byte[] data, int from, int count) {
      int end = (int) offset + from + count;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
      }
      System.arraycopy(data, from, bytes, (int) offset + from, count);
      length = Math.max(length, end);
    }

    void truncate(long to) {
      int end = (int) to;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, end);
      }
      if (end < length) {
        Arrays.fill(bytes, end, length, (byte) 0);
      }
      length = end;
    }

    byte[] content() {
      return Arrays.copyOf(bytes, length);
    }
  }

  /**
   * Writes to a directory what is left of another one.
   *
   * @param base the directory as it was when the log began; it need not exist
   * @param directory the path of the directory in the log
   * @param operations those before the power was lost
   * @param target must not exist
   */
  static void leave(
      Path base,
      Path directory,
      List<DiskOperation> operations,
      RandomGenerator random,
      Path target)
      throws IOException {
    PowerLoss loss = new PowerLoss(operations, random);
    loss.load(base, directory);
    loss.noteSyncs();
    loss.play();
    loss.save(directory, target);
  }

  private void load(Path base, Path directory) throws IOException {
    if (!Files.isDirectory(base)) {
      return;
    }
    try (Stream<Path> files = Files.walk(base)) {
      for (Path file : files.toList()) {
        String path = directory.resolve(base.relativize(file).toString()).toString();
        String name = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (Files.isDirectory(file)) {
          directories.add(name);
        } else if (Files.isRegularFile(file)) {
          FileContent content = new FileContent();
          byte[] bytes = Files.readAllBytes(file);
          content.write(0, bytes, 0, bytes.length);
          byPath.put(name, content);
        }
      }
    }
  }

  private void noteSyncs() {
    for (DiskOperation operation : operations) {
      noteCreation(operation);
      if (operation.kind() == Verb.SYNC) {
        syncedUpTo.merge(id(operation), operation.begin(), Math::max);
        syncedPaths.merge(operation.path(), operation.begin(), Math::max);
      }
    }
    created.clear();
  }

  private void noteCreation(DiskOperation operation) {
    if (operation.kind() == Verb.OPEN && operation.isFlagged(DiskOperation.CREATED)) {
      created.put(operation.file(), operation.at());
    }
  }

  private FileId id(DiskOperation operation) {
    return new FileId(operation.file(), created.getOrDefault(operation.file(), -1L));
  }

  private boolean isSynced(DiskOperation operation) {
    return operation.at() < syncedUpTo.getOrDefault(id(operation), 0L);
  }

  /** True if the directory of a changed name was synced later, or the new file was. */
  private boolean isNameSynced(DiskOperation operation) {
    long synced = syncedUpTo.getOrDefault(new FileId(operation.file(), operation.at()), 0L);
    return Stream.of(operation.path().split("\n", -1))
            .allMatch(path -> operation.at() < syncedPaths.getOrDefault(parent(path), 0L))
        || operation.at() < synced;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** Returns the position in the log from which on changes of names are lost. */
  private long lastName() {
    List<DiskOperation> changes = operations.stream().filter(DiskOperation::changesNames).toList();
    int durable = 0;
    for (int i = 0; i < changes.size(); i++) {
      durable = isNameSynced(changes.get(i)) ? i + 1 : durable;
    }
    int kept = durable + random.nextInt(changes.size() - durable + 1);
    return kept == changes.size() ? Long.MAX_VALUE : changes.get(kept).at();
  }

  private void play() {
    long lastName = lastName();
    Mood mood = Mood.values()[random.nextInt(Mood.values().length)];
    for (DiskOperation operation : operations) {
      boolean isNamed = operation.at() < lastName;
      noteCreation(operation);
      switch (operation.kind()) {
        case OPEN -> open(operation, isNamed);
        case WRITE -> write(operation, mood);
        case TRUNCATE -> truncate(operation, mood);
        case RENAME -> {
          if (isNamed) {
            rename(operation.path());
          }
        }
        case UNLINK -> {
          if (isNamed) {
            byPath.remove(operation.path());
            directories.remove(operation.path());
          }
        }
        case MKDIR -> {
          if (isNamed) {
            directories.add(operation.path());
          }
        }
        case SYNC, PRINTED -> {}
      }
    }
  }

  private void open(DiskOperation operation, boolean isNamed) {
    boolean isCreated = operation.isFlagged(DiskOperation.CREATED);
    FileContent content = isCreated ? null : byNumber.get(operation.file());
    if (content == null && !isCreated) {
      content = byPath.get(operation.path());
    }
    if (content == null) {
      content = new FileContent();
    }
    byNumber.put(operation.file(), content);
    if (isCreated && isNamed) {
      byPath.put(operation.path(), content);
    }
    if (operation.isFlagged(DiskOperation.TRUNCATED)) {
      content.truncate(0);
    }
  }

  private @Nullable FileContent of(DiskOperation operation) {
    return byNumber.get(operation.file());
  }

  private void write(DiskOperation operation, Mood mood) {
    FileContent content = of(operation);
    if (content == null) {
      return;
    }
    byte[] data = operation.data();
    if (isSynced(operation)) {
      content.write(operation.offset(), data, 0, data.length);
      return;
    }
    int from = 0;
    while (from < data.length) {
      int toNext = SECTOR - (int) ((operation.offset() + from) % SECTOR);
      int count = Math.min(toNext, data.length - from);
      if (isKept(mood)) {
        content.write(operation.offset(), data, from, count);
      }
      from += count;
    }
  }

  private void truncate(DiskOperation operation, Mood mood) {
    FileContent content = of(operation);
    if (content != null && (isSynced(operation) || isKept(mood))) {
      content.truncate(operation.offset());
    }
  }

  private boolean isKept(Mood mood) {
    return switch (mood) {
      case NOTHING -> false;
      case EVERYTHING -> true;
      case SOME -> random.nextBoolean();
    };
  }

  private void rename(String paths) {
    String[] names = paths.split("\n", -1);
    FileContent content = byPath.remove(names[0]);
    if (content != null) {
      byPath.put(names[1], content);
    }
  }

  private void save(Path directory, Path target) throws IOException {
    Files.createDirectories(target, PRIVATE_DIRECTORY);
    for (String name : directories) {
      Files.createDirectories(
          target.resolve(directory.relativize(Path.of(name))), PRIVATE_DIRECTORY);
    }
    for (Map.Entry<String, FileContent> file : byPath.entrySet()) {
      Path path = target.resolve(directory.relativize(Path.of(file.getKey())));
      if (Files.isDirectory(path.resolveSibling("."))) {
        Files.createFile(path, PRIVATE_FILE);
        Files.write(path, file.getValue().content());
      }
    }
  }
}
