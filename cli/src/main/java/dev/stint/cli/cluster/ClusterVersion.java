package dev.stint.cli.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of Kubernetes that a cluster has.
 *
 * @param text as the cluster says it, such as {@code v1.30.4-gke.100}
 * @param minor 30 for 1.30; the newest one for a text that is no version
 */
record ClusterVersion(String text, int minor) {
  /** The oldest minor version on which runs are tried. */
  static final int OLDEST = 30;

  private static final Pattern TEXT = Pattern.compile("v?1\\.(\\d{1,4})\\b.*");

  static ClusterVersion of(String text) {
    Matcher found = TEXT.matcher(text);
    return new ClusterVersion(
        text, found.matches() ? Integer.parseInt(found.group(1)) : Integer.MAX_VALUE);
  }
}
