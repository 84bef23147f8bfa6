package dev.stint.apiserver.catalogue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of versions in discovery, as in Kubernetes: stable ones before betas and alphas, newer
 * ones first, and names of another form last, in the order of the alphabet.
 */
final class VersionPriority {
  private static final Pattern KUBERNETES =
      Pattern.compile("v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?");

  /** Puts the preferred version of a group first, and groups apart. */
  static final Comparator<GroupVersion> FIRST = VersionPriority::compare;

  private VersionPriority() {}

  private static int compare(GroupVersion one, GroupVersion other) {
    int byGroup = one.group().compareTo(other.group());
    if (byGroup != 0 || one.version().equals(other.version())) {
      return byGroup;
    }
    int byRank = Arrays.compare(rank(other.version()), rank(one.version()));
    return byRank != 0 ? byRank : one.version().compareTo(other.version());
  }

  /** Returns the stability of a version, its number, and that of its alpha or beta. */
  private static int[] rank(String version) {
    Matcher parts = KUBERNETES.matcher(version);
    if (!parts.matches()) {
      return new int[] {0, 0, 0};
    }
    int major = Integer.parseInt(parts.group(1));
    String stage = parts.group(2);
    return stage == null
        ? new int[] {3, major, 0}
        : new int[] {stage.equals("beta") ? 2 : 1, major, Integer.parseInt(parts.group(3))};
  }
}
