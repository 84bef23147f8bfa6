import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Removes clock times from a class archive, so that a release is the same bytes each time.
 *
 * <p>Two archives from one list of classes differ in when the JVM last used some of the objects in
 * them, and in two sums over those times, which no JVM checks unless it is told to. This program
 * compares two archives and sets to zero what differs. The JVM then takes those objects for old
 * ones, which it may make anew. Rarely, an archive holds another word that differs, such as a count
 * of calls, without which no JVM would start: then nothing is written, and the archives are to be
 * made again.
 */
final class ClockTimes {
  /** The first word holds the sort of the file, and a sum in its second half. */
  private static final int SORT = 4;

  private static final int WORD = 8;

  /** The words of the header with sums. */
  private static final Set<Integer> SUMS = Set.of(0, 312);

  /** More than this is another difference than that of clocks. */
  private static final int MOST = 5_000;

  /**
   * The farthest that a clock time may be from the others, in milliseconds: both dumps take less.
   */
  private static final long SPAN = 3_600_000;

  private ClockTimes() {}

  /**
   * Writes the first archive anew. Exits with 1 if they differ in more than clock times.
   *
   * @param args two archives
   */
  public static void main(String[] args) throws IOException {
    ByteBuffer first = read(args[0]);
    ByteBuffer second = read(args[1]);
    if (first.capacity() != second.capacity()) {
      System.exit(1);
    }
    List<Integer> words = differences(first, second);
    if (words.size() > MOST || !areClockTimes(words, first, second)) {
      System.exit(1);
    }
    for (int word : words) {
      for (int i = Math.max(word, SORT); i < word + WORD; i++) {
        first.put(i, (byte) 0);
      }
    }
    Files.write(Path.of(args[0]), first.array());
  }

  private static ByteBuffer read(String file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(Path.of(file))).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the places of the words that differ. An archive is a whole number of pages. */
  private static List<Integer> differences(ByteBuffer first, ByteBuffer second) {
    List<Integer> words = new ArrayList<>();
    for (int i = 0; i < first.capacity() && words.size() <= MOST; i += WORD) {
      if (first.getLong(i) != second.getLong(i)) {
        words.add(i);
      }
    }
    return words;
  }

  /**
   * True if all words but the sums hold times near each other: milliseconds since the machine
   * began.
   */
  private static boolean areClockTimes(List<Integer> words, ByteBuffer first, ByteBuffer second) {
    List<Integer> times = words.stream().filter(word -> !SUMS.contains(word)).toList();
    return isNearEachOther(times, first) && isNearEachOther(times, second);
  }

  private static boolean isNearEachOther(List<Integer> words, ByteBuffer archive) {
    long[] times = words.stream().mapToLong(archive::getLong).sorted().toArray();
    if (times.length == 0) {
      return true;
    }
    long median = times[times.length / 2];
    long span = Math.min(SPAN, median / 2);
    return median - times[0] <= span && times[times.length - 1] - median <= span;
  }
}
