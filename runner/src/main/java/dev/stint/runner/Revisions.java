package dev.stint.runner;

/** The order of the revisions of objects: decimal numbers of any length. */
final class Revisions {
  private Revisions() {}

  /** Returns a negative number if the first revision is older than the other. */
  static int compare(String one, String other) {
    int byLength = Integer.compare(one.length(), other.length());
    return byLength != 0 ? byLength : one.compareTo(other);
  }
}
