package dev.stint.bench.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** The numbers by which a process with {@code faults.c} is told how its machine fails. */
public final class DiskControl {
  private static final int NUMBERS = 8;
  private static final int CLOCK_OFFSET = 0;
  private static final int FULL = 1;
  private static final int SYNC_DELAY = 2;
  private static final int FULL_AT = 3;
  private static final int GROWTHS = 4;

  private final Path file;
  private final MemorySegment numbers;

  private DiskControl(Path file, MemorySegment numbers) {
    this.file = file;
    this.numbers = numbers;
  }

  /** Creates the file, with a machine that does not fail. */
  public static DiskControl create(Path file) throws IOException {
    Files.write(file, new byte[NUMBERS * Long.BYTES]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new DiskControl(
          file,
          channel.map(
              FileChannel.MapMode.READ_WRITE, 0, NUMBERS * (long) Long.BYTES, Arena.ofAuto()));
    }
  }

  public Path file() {
    return file;
  }

  private void set(int number, long value) {
    numbers.setAtIndex(ValueLayout.JAVA_LONG, number, value);
  }

  public void setClockOffset(Duration offset) {
    set(CLOCK_OFFSET, offset.toNanos());
  }

  public void setFull(boolean full) {
    set(FULL, full ? 1 : 0);
  }

  /** Makes each sync take longer, by a random time up to this. */
  public void setSyncDelay(Duration longest) {
    set(SYNC_DELAY, longest.toNanos() / 1000);
  }

  /** Makes the disk full from the Nth time on that something grows; 0 for never. Counts anew. */
  public void setFullAt(long growth) {
    set(GROWTHS, 0);
    set(FULL_AT, growth);
  }

  /** Makes room on the disk, for good. */
  public void makeRoom() {
    set(FULL_AT, 0);
  }

  /** Counts how often something grew, or was to grow. */
  public long growths() {
    return numbers.getAtIndex(ValueLayout.JAVA_LONG, GROWTHS);
  }
}
