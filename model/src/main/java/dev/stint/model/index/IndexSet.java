package dev.stint.model.index;

import java.util.function.IntConsumer;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * An immutable set of completion indexes, 0 to 2^31-1.
 *
 * <p>The text form is that of {@code status.completedIndexes} and {@code status.failedIndexes}
 * (KEP-3850, Failed indexes format): increasing decimals separated by commas, three or more in a
 * row as {@code first-last}: {@code 1,3-5,7}. It is used at the API only; internally, sets are
 * compressed bitmaps, so that a union costs microseconds at 100,000 indexes.
 *
 * <pre>{@code
 * IndexSet indexes = IndexSet.parse("1,3-5,7");
 * indexes.size(); // 5
 * indexes.toString(); // "1,3-5,7"
 * }</pre>
 */
public final class IndexSet {
  public static final IndexSet EMPTY = new IndexSet(new RoaringBitmap());

  /** The run length up to which a linear scan is faster than a search for the run's end. */
  private static final int SHORT_RUN = 64;

  private final RoaringBitmap bits;

  private IndexSet(RoaringBitmap bits) {
    this.bits = bits;
  }

  /**
   * Thrown for text that is not a set of indexes. The message describes the fault and its position.
   */
  public static final class FormatException extends Exception {
    private static final long serialVersionUID = 1L;

    FormatException(String message) {
      super(message);
    }
  }

  public static IndexSet of(int... indexes) {
    return new IndexSet(RoaringBitmap.bitmapOf(indexes));
  }

  /** Returns the set of indexes from {@code first} to {@code last}, both included. */
  public static IndexSet range(int first, int last) {
    return new IndexSet(RoaringBitmap.bitmapOfRange(first, last + 1L));
  }

  /**
   * Parses the text form, {@code ""} being the empty set.
   *
   * @throws FormatException if the text is malformed, not increasing, or names an index twice
   */
  public static IndexSet parse(String text) throws FormatException {
    return new IndexSetParser(text).readStrictly();
  }

  /**
   * Parses the valid parts of a text that may be corrupt, and skips the others. Nothing is thrown.
   */
  public static IndexSet salvage(String text) {
    return IndexSetParser.salvage(text);
  }

  /** Parses a text up to its first fault, if there is one. Nothing is thrown. */
  public static IndexSet soundPart(String text) {
    return new IndexSetParser(text).readSoundPart();
  }

  /** Returns a builder for a set. */
  public static Builder builder() {
    return new Builder(new RoaringBitmap());
  }

  /** Returns a builder that starts with the indexes of this set. */
  public Builder toBuilder() {
    return new Builder(bits.clone());
  }

  public boolean contains(int index) {
    return bits.contains(index);
  }

  public int size() {
    return bits.getCardinality();
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  /** Returns the highest index, or -1 if the set is empty. */
  public int max() {
    return bits.isEmpty() ? -1 : bits.last();
  }

  /** Returns the lowest index at or above {@code from} that is not in the set. */
  public int nextAbsent(int from) {
    return (int) bits.nextAbsentValue(from);
  }

  public IndexSet union(IndexSet other) {
    return other.isEmpty()
        ? this
        : isEmpty() ? other : new IndexSet(RoaringBitmap.or(bits, other.bits));
  }

  public IndexSet intersection(IndexSet other) {
    return new IndexSet(RoaringBitmap.and(bits, other.bits));
  }

  /** Counts the indexes in both sets, without building their intersection. */
  public int intersectionSize(IndexSet other) {
    return RoaringBitmap.andCardinality(bits, other.bits);
  }

  public IndexSet minus(IndexSet other) {
    return other.isEmpty() ? this : new IndexSet(RoaringBitmap.andNot(bits, other.bits));
  }

  public boolean containsAll(IndexSet other) {
    return bits.contains(other.bits);
  }

  /** Returns the indexes below {@code limit}. */
  public IndexSet below(int limit) {
    return max() < limit ? this : intersection(range(0, limit - 1));
  }

  public void forEach(IntConsumer each) {
    bits.forEach((int index) -> each.accept(index));
  }

  /**
   * Calls {@code each} with the first and last index of every run of consecutive indexes, in
   * increasing order.
   */
  void forEachRun(RunConsumer each) {
    PeekableIntIterator members = bits.getIntIterator();
    while (members.hasNext()) {
      int first = members.next();
      int last = first;
      while (last - first < SHORT_RUN && members.hasNext() && members.peekNext() == last + 1) {
        last = members.next();
      }
      if (last - first == SHORT_RUN) {
        last = (int) (bits.nextAbsentValue(last) - 1);
        members.advanceIfNeeded(last + 1);
      }
      each.accept(first, last);
    }
  }

  interface RunConsumer {
    void accept(int first, int last);
  }

  /** Returns the text form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    forEachRun((first, last) -> {
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (last > first) {
        text.append(last > first + 1 ? '-' : ',').append(last);
      }
    });
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexSet set && bits.equals(set.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  /** Collects indexes; not thread-safe. */
  public static final class Builder {
    private final RoaringBitmap bits;

    private Builder(RoaringBitmap bits) {
      this.bits = bits;
    }

    public Builder add(int index) {
      bits.add(index);
      return this;
    }

    /** Adds the indexes from {@code first} to {@code last}, both included. */
    public Builder addRange(int first, int last) {
      if (last - (long) first > SHORT_RUN) {
        bits.add((long) first, last + 1L);
      } else {
        for (long index = first; index <= last; index++) {
          bits.add((int) index);
        }
      }
      return this;
    }

    public Builder remove(int index) {
      bits.remove(index);
      return this;
    }

    Builder addAll(IndexSet set) {
      bits.or(set.bits);
      return this;
    }

    public boolean contains(int index) {
      return bits.contains(index);
    }

    public int size() {
      return bits.getCardinality();
    }

    /** Returns the highest index, or -1 if there is none. */
    public int max() {
      return bits.isEmpty() ? -1 : bits.last();
    }

    /** Returns the lowest index at or above {@code from} that was not added. */
    int nextAbsent(int from) {
      return (int) bits.nextAbsentValue(from);
    }

    /** Returns the current set; the builder may be used further. */
    public IndexSet build() {
      RoaringBitmap copy = bits.clone();
      copy.runOptimize();
      return new IndexSet(copy);
    }
  }
}
