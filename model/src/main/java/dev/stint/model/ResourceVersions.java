package dev.stint.model;

/**
 * The order of the states of an object, by {@code metadata.resourceVersion}: decimal numbers of any
 * length.
 */
public final class ResourceVersions {
  private ResourceVersions() {}

  /** Returns a negative number if the first state is older than the other, and 0 for the same. */
  public static int compare(String one, String other) {
    int byLength = Integer.compare(one.length(), other.length());
    return byLength != 0 ? byLength : one.compareTo(other);
  }

  /**
   * True if one state of an object is later than another: the answer to a write may arrive before
   * the watch reports it.
   */
  public static boolean isNewer(String version, String than) {
    return compare(version, than) > 0;
  }
}
