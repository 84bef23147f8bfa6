package dev.stint.runner.container.daemon;

/**
 * Finds the last occurrence of a byte sequence in a stream that comes in parts (by Knuth, Morris
 * and Pratt).
 */
public final class LastOccurrence {
  private final byte[] piece;

  /** The length that still matches if the next byte differs, by the length of a partial match. */
  private final int[] fallback;

  private int matching;
  private long read;
  private long end;

  /**
   * @param piece empty to find the beginning
   */
  public LastOccurrence(byte[] piece) {
    this.piece = piece;
    this.fallback = new int[piece.length + 1];
    int length = 0;
    for (int i = 1; i < piece.length; i++) {
      length = step(length, piece[i]);
      fallback[i + 1] = length;
    }
  }

  /** Reads the next bytes. */
  public void read(byte[] bytes, int length) {
    for (int i = 0; i < length && piece.length > 0; i++) {
      matching = step(matching, bytes[i]);
      if (matching == piece.length) {
        end = read + i + 1;
      }
    }
    read += length;
  }

  /** Returns the offset of the end of the last occurrence; 0 if there is none. */
  public long end() {
    return end;
  }

  private int step(int matched, byte next) {
    int length = matched;
    while (length > 0 && (length == piece.length || piece[length] != next)) {
      length = fallback[length];
    }
    return piece[length] == next ? length + 1 : 0;
  }
}
