package dev.stint.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The disk of a directory that processes use through {@code faults.c}: it can be slow or full, and
 * lose its power.
 */
public final class FaultyDisk {
  private final Path library;
  private final Path directory;
  private final Path base;
  private final Path log;
  private final DiskControl control;

  private FaultyDisk(Path library, Path directory, Path scratch, DiskControl control) {
    this.library = library;
    this.directory = directory;
    this.base = scratch.resolve("base");
    this.log = scratch.resolve("disk.log");
    this.control = control;
  }

  /**
   * @param library the compiled {@code faults.c}
   * @param directory what is on the disk; not there yet
   * @param scratch a directory for what belongs to the disk itself
   */
  public static FaultyDisk of(Path library, Path directory, Path scratch) throws IOException {
    Files.createDirectories(scratch);
    return new FaultyDisk(
        library.toAbsolutePath(),
        directory.toAbsolutePath(),
        scratch.toAbsolutePath(),
        DiskControl.create(scratch.resolve("control").toAbsolutePath()));
  }

  /**
   * Returns a disk with what a loss of power has left.
   *
   * @param left is copied
   */
  static FaultyDisk with(Path left, Path library, Path directory, Path scratch) throws IOException {
    FaultyDisk disk = of(library, directory, scratch);
    Directories.copyAll(left, disk.base);
    Directories.copyAll(left, disk.directory);
    return disk;
  }

  public DiskControl control() {
    return control;
  }

  Path directory() {
    return directory;
  }

  Path log() {
    return log;
  }

  /** Returns the variables of a process that uses the disk. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "STINT_FAULTS_DIR", directory.toString(),
        "STINT_FAULTS_CONTROL", control.file().toString(),
        "STINT_FAULTS_LOG", log.toString());
  }

  /** Loses the power, when all processes are dead. The directory holds what is left then. */
  public void losePower(RandomGenerator random) throws IOException {
    Path left = base.resolveSibling("left");
    Directories.deleteAll(left);
    PowerLoss.leave(base, directory, DiskLog.read(log), random, left);
    Directories.deleteAll(base);
    Directories.deleteAll(directory);
    Directories.copyAll(left, base);
    Files.move(left, directory);
    Files.deleteIfExists(log);
  }

  /** Writes what a loss of power might have left after some of the operations. */
  void leave(List<DiskOperation> operations, RandomGenerator random, Path target)
      throws IOException {
    Directories.deleteAll(target);
    PowerLoss.leave(base, directory, operations, random, target);
  }
}
