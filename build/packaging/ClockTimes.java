import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Removes clock times from a class archive, so that a release is the same bytes each time.
 *
 * <p>The only difference between two archives from one list of classes is when the JVM last used
 * some of the objects in them, and two sums over those times, which no JVM checks unless it is told
 * to. This program compares two archives and sets to zero what differs. The JVM then takes those
 * objects for old ones, which it may make anew.
 */
final class ClockTimes {
  /** The first word holds the sort of the file, and a sum in its second half. */
  private static final int SORT = 4;

  private static final int WORD = 8;

  /** More than this is another difference than that of clocks. */
  private static final int MOST = 5_000;

  private ClockTimes() {}

  /**
   * Writes the first archive anew.
   *
   * @param args two archives
   */
  public static void main(String[] args) throws IOException {
    byte[] first = Files.readAllBytes(Path.of(args[0]));
    byte[] second = Files.readAllBytes(Path.of(args[1]));
    int words = first.length == second.length ? remove(first, second) : MOST;
    if (words >= MOST) {
      System.err.println("the archives differ in more than clock times");
      System.exit(1);
    }
    Files.write(Path.of(args[0]), first);
  }

  /** Sets words that differ to zero, and returns their number. */
  private static int remove(byte[] first, byte[] second) {
    int words = 0;
    for (int start = 0; start < first.length; start += WORD) {
      int from = Math.max(start, SORT);
      int to = Math.min(start + WORD, first.length);
      if (!Arrays.equals(first, from, to, second, from, to)) {
        Arrays.fill(first, from, to, (byte) 0);
        words++;
      }
    }
    return words;
  }
}
