package dev.stint.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.bench.disk.DiskOperation.Verb;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Proves that the store loses nothing that it acknowledged, on a disk that loses all that was not
 * synced. See {@code bench/disk} for the arguments.
 */
public final class CrashProgram {
  private static final int WRITES = 600;
  private static final int LONGEST_VALUE = 60_000;
  private static final int FEW_WRITES = 12;
  private static final int SHORT_VALUE = 3_000;

  private final Path library;
  private final Path directory;

  private CrashProgram(Path library, Path directory) {
    this.library = library;
    this.directory = directory;
  }

  /**
   * Arguments: the library of faults, a directory, {@code crashes COUNT SEED}, {@code recoveries
   * COUNT SEED}, {@code full}, or {@code run STEP STINT}.
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]).toAbsolutePath();
    Directories.deleteAll(directory);
    Files.createDirectories(directory);
    CrashProgram program = new CrashProgram(Path.of(arguments[0]), directory);
    List<String> faults =
        switch (arguments[2]) {
          case "full" -> program.fillDisk();
          case "run" ->
              program.fillDiskOfRun(Path.of(arguments[4]), Integer.parseInt(arguments[3]));
          case "recoveries" ->
              program.crashAgain(Integer.parseInt(arguments[3]), Long.parseLong(arguments[4]));
          default -> program.crash(Integer.parseInt(arguments[3]), Long.parseLong(arguments[4]));
        };
    faults.stream().limit(20).forEach(System.out::println);
    System.out.println(faults.isEmpty() ? "nothing is lost" : faults.size() + " faults");
    System.exit(faults.isEmpty() ? 0 : 1);
  }

  /** Records one process that writes, and loses the power at random moments of it. */
  private List<String> crash(int count, long seed) throws IOException, InterruptedException {
    FaultyDisk disk = FaultyDisk.of(library, directory.resolve("store"), directory.resolve("disk"));
    int status = write(disk, WRITES, LONGEST_VALUE);
    List<DiskOperation> operations = DiskLog.read(disk.log());
    Acknowledgements all = Acknowledgements.of(printed(operations));
    System.out.printf(
        "%d writes were acknowledged (exit status %d) in %d operations of the disk, %d syncs%n",
        all.size(), status, operations.size(), count(operations, Verb.SYNC));
    SplittableRandom random = new SplittableRandom(seed);
    List<String> faults = new ArrayList<>();
    long acknowledged = 0;
    long kept = 0;
    for (int i = 0; i < count; i++) {
      int at = random.nextInt(operations.size() + 1);
      List<DiskOperation> before = operations.subList(0, at);
      Acknowledgements told = Acknowledgements.of(printed(before));
      Path left = directory.resolve("left");
      disk.leave(before, random.split(), left);
      String name = "crash %d of seed %d, after operation %d".formatted(i, seed, at);
      try {
        OpenedStore opened = OpenedStore.read(left);
        acknowledged += told.size();
        kept += opened.revision() - 1;
        if (opened.revision() < told.last()) {
          faults.add(
              "%s: revision %d was acknowledged, and %d is the newest"
                  .formatted(name, told.last(), opened.revision()));
        }
        all.differences(opened.entries(), opened.revision())
            .forEach(each -> faults.add(name + ": " + each));
      } catch (IOException broken) {
        faults.add(name + ": the store does not open: " + broken.getMessage());
      }
    }
    System.out.printf(
        "%d crashes of seed %d: %d writes were acknowledged before them, %d were there after them%n",
        count, seed, acknowledged, kept);
    return faults;
  }

  /** Loses the power at random moments of a process that writes, and then while a store opens. */
  private List<String> crashAgain(int count, long seed) throws IOException, InterruptedException {
    FaultyDisk disk = FaultyDisk.of(library, directory.resolve("store"), directory.resolve("disk"));
    write(disk, WRITES, LONGEST_VALUE);
    List<DiskOperation> operations = DiskLog.read(disk.log());
    RecoveryCrashes crashes = new RecoveryCrashes(library, directory.resolve("recovery"));
    SplittableRandom random = new SplittableRandom(seed);
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = random.nextInt(operations.size() + 1);
      List<DiskOperation> before = operations.subList(0, at);
      Path left = directory.resolve("left");
      disk.leave(before, random.split(), left);
      String name = "crash %d of seed %d, after operation %d".formatted(i, seed, at);
      crashes
          .of(left, Acknowledgements.of(printed(before)), random)
          .forEach(each -> faults.add(name + each));
    }
    System.out.println(crashes);
    return faults;
  }

  private static long count(List<DiskOperation> operations, Verb kind) {
    return operations.stream().filter(operation -> operation.kind() == kind).count();
  }

  static String printed(List<DiskOperation> operations) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    operations.stream()
        .filter(operation -> operation.kind() == Verb.PRINTED)
        .forEach(operation -> printed.writeBytes(operation.data()));
    return printed.toString(UTF_8);
  }

  private List<String> fillDiskOfRun(Path stint, int step)
      throws IOException, InterruptedException {
    return FullDiskRun.all(library, directory, stint.toAbsolutePath(), step);
  }

  /** Fills the disk at the first growth of a run, then at the second, and so on. */
  private List<String> fillDisk() throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    long at = 0;
    boolean isOver = false;
    long acknowledged = 0;
    while (!isOver) {
      at++;
      Path scratch = directory.resolve("full");
      Directories.deleteAll(scratch);
      Files.createDirectories(scratch);
      FaultyDisk disk = FaultyDisk.of(library, scratch.resolve("store"), scratch.resolve("disk"));
      disk.control().setFullAt(at);
      int status = write(disk, FEW_WRITES, SHORT_VALUE);
      isOver = disk.control().growths() < at;
      Acknowledgements told = Acknowledgements.of(printed(DiskLog.read(disk.log())));
      acknowledged += told.size();
      if (status != (isOver ? 0 : 3)) {
        faults.add("full at growth %d: exit status %d".formatted(at, status));
      }
      try {
        OpenedStore opened = OpenedStore.read(disk.directory());
        String name = "full at growth " + at;
        told.losses(opened.entries()).forEach(each -> faults.add(name + ": " + each));
      } catch (IOException broken) {
        faults.add(
            "full at growth %d: the store does not open again: %s"
                .formatted(at, broken.getMessage()));
      }
    }
    System.out.printf(
        "full at each of %d growths: %d writes were acknowledged before%n", at - 1, acknowledged);
    return faults;
  }

  private static int write(FaultyDisk disk, int writes, int longest)
      throws IOException, InterruptedException {
    return run(
        disk,
        StoreWriter.class,
        disk.directory().toString(),
        Integer.toString(writes),
        Integer.toString(longest));
  }

  /** Runs a program that uses a disk, and returns its exit status. */
  static int run(FaultyDisk disk, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(disk.environment());
    return builder.start().waitFor();
  }
}
