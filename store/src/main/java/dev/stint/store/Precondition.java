package dev.stint.store;

import org.jspecify.annotations.Nullable;

/** The expected state of a key; a write is refused if the key is in another one. */
public sealed interface Precondition {

  /** Expects that the key is missing: a creation. */
  static Precondition absent() {
    return Absent.ABSENT;
  }

  /** Expects that the key exists with the value of this revision. */
  static Precondition revision(long revision) {
    return new AtRevision(revision);
  }

  /** Expects nothing: the write is unconditional. */
  static Precondition any() {
    return Any.ANY;
  }

  /** True if the current entry (null: the key is missing) is as expected. */
  boolean holds(@Nullable Entry current);

  /** Completes "expected KEY to be …". */
  String text();

  /** See {@link #absent()}. */
  enum Absent implements Precondition {
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
  enum Any implements Precondition {
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
  record AtRevision(long revision) implements Precondition {
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
