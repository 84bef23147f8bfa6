package dev.stint.apiserver.catalogue;

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
  static final Comparator<GroupVersion> FIRST =
      Comparator.comparing(GroupVersion::group)
          .thenComparing(served -> rank(served.version()), Comparator.reverseOrder())
          .thenComparing(GroupVersion::version);

  private VersionPriority() {}

  private record Rank(int stability, int major, int minor) implements Comparable<Rank> {
    private static final Comparator<Rank> ORDER =
        Comparator.comparingInt(Rank::stability)
            .thenComparingInt(Rank::major)
            .thenComparingInt(Rank::minor);

    @Override
    public int compareTo(Rank other) {
      return ORDER.compare(this, other);
    }
  }

  private static Rank rank(String version) {
    Matcher parts = KUBERNETES.matcher(version);
    if (!parts.matches()) {
      return new Rank(0, 0, 0);
    }
    int major = Integer.parseInt(parts.group(1));
    String stage = parts.group(2);
    return stage == null
        ? new Rank(3, major, 0)
        : new Rank(stage.equals("beta") ? 2 : 1, major, Integer.parseInt(parts.group(3)));
  }
}
