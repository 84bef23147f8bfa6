package dev.stint.model.field;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Forms that are recommended where {@link Formats} allows more, with Kubernetes' own words for what
 * is not so.
 */
public final class RecommendedForms {
  private static final int LABEL = 63;
  private static final String TOO_LONG = "must be no more than 63 characters";
  private static final Pattern LABEL_VALUE =
      Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

  private RecommendedForms() {}

  /**
   * Returns what keeps a subdomain from being a label too, such as {@code [must not contain dots]};
   * "" where it is one.
   */
  public static String notALabel(String subdomain) {
    List<String> complaints = new ArrayList<>();
    if (subdomain.length() > LABEL) {
      complaints.add(TOO_LONG);
    }
    if (subdomain.contains(".")) {
      complaints.add("must not contain dots");
    }
    return complaints.isEmpty() ? "" : "[" + String.join(" ", complaints) + "]";
  }

  /** Returns what keeps a text from being a label's value; nothing where it is one. */
  public static List<String> notALabelValue(String text) {
    List<String> complaints = new ArrayList<>();
    if (text.length() > LABEL) {
      complaints.add(TOO_LONG);
    }
    if (!LABEL_VALUE.matcher(text).matches()) {
      complaints.add(Formats.LABEL_VALUE_RULE);
    }
    return complaints;
  }

  /** Returns an IPv6 address in its one recommended form (RFC 5952); null where it is none. */
  public static @Nullable String ipv6(String address) {
    if (!address.contains(":") || Formats.ipAddress(address) != null) {
      return null;
    }
    return InetAddress.ofLiteral(address) instanceof Inet6Address known
        ? joined(ByteBuffer.wrap(known.getAddress()).asShortBuffer())
        : null;
  }

  private static String joined(ShortBuffer groups) {
    int start = -1;
    int length = 1;
    for (int i = 0; i < groups.limit(); i++) {
      int zeros = zeros(groups, i);
      if (zeros > length) {
        start = i;
        length = zeros;
      }
    }
    if (start < 0) {
      return hex(groups, 0, groups.limit());
    }
    return hex(groups, 0, start) + "::" + hex(groups, start + length, groups.limit());
  }

  /** Counts the groups of zero from one on. */
  private static int zeros(ShortBuffer groups, int from) {
    int end = from;
    while (end < groups.limit() && groups.get(end) == 0) {
      end++;
    }
    return end - from;
  }

  private static String hex(ShortBuffer groups, int from, int to) {
    List<String> parts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      parts.add(Integer.toHexString(Short.toUnsignedInt(groups.get(i))));
    }
    return String.join(":", parts);
  }
}
