package dev.stint.bench.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Losses of power while a store recovers from another one, some in a row. Nothing that was
 * acknowledged is lost, nor what the store showed once it was open.
 */
final class RecoveryCrashes {
  /** How many moments of each recovery are tried. The first one is right after it. */
  private static final int MOMENTS = 5;

  /** How many recoveries are cut off one after the other. */
  private static final int IN_A_ROW = 2;

  private final Path library;
  private final Path directory;
  private int recoveries;
  private int operations;
  private int crashes;
  private int afterOpening;

  RecoveryCrashes(Path library, Path directory) {
    this.library = library;
    this.directory = directory;
  }

  /**
   * @param left what a loss of power has left; moved away
   * @param told what had been acknowledged before it
   * @return what is wrong
   */
  List<String> of(Path left, Acknowledgements told, SplittableRandom random)
      throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    long shown = told.last();
    for (int row = 1; row <= IN_A_ROW; row++) {
      Directories.deleteAll(directory);
      FaultyDisk disk =
          FaultyDisk.with(left, library, directory.resolve("store"), directory.resolve("disk"));
      int status = CrashProgram.run(disk, StoreOpener.class, disk.directory().toString());
      List<DiskOperation> recovery = DiskLog.read(disk.log());
      recoveries++;
      operations += recovery.size();
      if (status != 0) {
        faults.add(", recovery %d: exit status %d".formatted(row, status));
        return faults;
      }
      long before = shown;
      for (int moment = 0; moment < MOMENTS; moment++) {
        int at = moment == 0 ? recovery.size() : random.nextInt(recovery.size());
        List<DiskOperation> done = recovery.subList(0, at);
        disk.leave(done, random.split(), left);
        crashes++;
        afterOpening += shown(done) > 0 ? 1 : 0;
        shown = Math.max(before, shown(done));
        Path opened = directory.resolve("opened");
        Directories.deleteAll(opened);
        Directories.copyAll(left, opened);
        check(opened, told, shown, ", recovery %d after operation %d".formatted(row, at), faults);
      }
    }
    return faults;
  }

  /** Returns the revision that the store has shown; 0 if it was not open yet. */
  private static long shown(List<DiskOperation> operations) {
    String printed = CrashProgram.printed(operations);
    return printed.endsWith("\n") ? Long.parseLong(printed.strip()) : 0;
  }

  private static void check(
      Path opened, Acknowledgements told, long shown, String name, List<String> faults) {
    try {
      OpenedStore store = OpenedStore.read(opened);
      if (store.revision() < shown) {
        faults.add(
            "%s: revision %d was acknowledged or shown, and %d is the newest"
                .formatted(name, shown, store.revision()));
      }
      told.losses(store.entries()).forEach(each -> faults.add(name + ": " + each));
    } catch (IOException broken) {
      faults.add(name + ": the store does not open: " + broken.getMessage());
    }
  }

  @Override
  public String toString() {
    return "%d recoveries, with %d operations of the disk; %d crashes in them, %d once it was open"
        .formatted(recoveries, operations, crashes, afterOpening);
  }
}
