package dev.stint.store;

import org.jspecify.annotations.Nullable;

/** What a writer expects of a key; the write is refused where it does not hold. */
public sealed interface Expectation {

  /** The key is missing: a creation. */
  static Expectation absent() {
    return Absent.ABSENT;
  }

  /** The key is there, and its value is the one of this revision. */
  static Expectation revision(long revision) {
    return new AtRevision(revision);
  }

  /** Nothing is expected: the write is unconditional. */
  static Expectation any() {
    return Any.ANY;
  }

  /** Whether it holds, given the current entry (null: the key is missing). */
  boolean holds(@Nullable Entry current);

  /** Completes "expected KEY to be …". */
  String text();

  /** See {@link #absent()}. */
  enum Absent implements Expectation {
    ABSENT;

    @Override
    public boolean holds(@Nullable Entry current) {
      return current == null;
    }

    @Override
    public String text() {
      return "missing";
    }
  }

  /** See {@link #any()}. */
  enum Any implements Expectation {
    ANY;

    @Override
    public boolean holds(@Nullable Entry current) {
      return true;
    }

    @Override
    public String text() {
      return "there";
    }
  }

  /** See {@link #revision(long)}. */
  record AtRevision(long revision) implements Expectation {
    @Override
    public boolean holds(@Nullable Entry current) {
      return current != null && current.revision() == revision;
    }

    @Override
    public String text() {
      return "at revision " + revision;
    }
  }
}
