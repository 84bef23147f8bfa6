package dev.stint.store;

import org.jspecify.annotations.Nullable;

/** The expected state of a key; a write is refused if the key is in another one. */
public sealed interface Expectation {

  /** Expects that the key is missing: a creation. */
  static Expectation absent() {
    return Absent.ABSENT;
  }

  /** Expects that the key exists with the value of this revision. */
  static Expectation revision(long revision) {
    return new AtRevision(revision);
  }

  /** Expects nothing: the write is unconditional. */
  static Expectation any() {
    return Any.ANY;
  }

  /** True if the current entry (null: the key is missing) is as expected. */
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
