package dev.stint.model.field;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks recommended formats, which are stricter than {@link Formats}, with Kubernetes' own
 * messages.
 */
public final class StrictFormats {
  private static final int LABEL = 63;
  private static final int GROUPS = 8;
  private static final String TOO_LONG = "must be no more than 63 characters";
  private static final Pattern LABEL_VALUE =
      Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");

  private StrictFormats() {}

  /**
   * Returns the reason for which a subdomain is not a label too, such as {@code [must not contain
   * dots]}; "" if it is one.
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

  /** Returns the reasons for which a text is not a label's value; empty if it is one. */
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

  /**
   * Returns an IPv6 address in its recommended form (RFC 5952); null if it is none, or maps an IPv4
   * address.
   */
  public static @Nullable String ipv6(String address) {
    if (!address.contains(":") || Formats.ipAddress(address) != null) {
      return null;
    }
    List<Integer> groups = groups(address);
    return groups.subList(0, 6).equals(List.of(0, 0, 0, 0, 0, 0xffff)) ? null : joined(groups);
  }

  /** Returns the eight numbers of a valid address. */
  private static List<Integer> groups(String address) {
    int gap = address.indexOf("::");
    List<Integer> groups = new ArrayList<>(numbers(gap < 0 ? address : address.substring(0, gap)));
    List<Integer> end = gap < 0 ? List.of() : numbers(address.substring(gap + 2));
    groups.addAll(Collections.nCopies(GROUPS - groups.size() - end.size(), 0));
    groups.addAll(end);
    return groups;
  }

  private static List<Integer> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(":")) {
      if (part.contains(".")) {
        int[] bytes = Stream.of(part.split("\\.")).mapToInt(Integer::parseInt).toArray();
        numbers.add(bytes[0] << 8 | bytes[1]);
        numbers.add(bytes[2] << 8 | bytes[3]);
      } else {
        numbers.add(Integer.parseInt(part, 16));
      }
    }
    return numbers;
  }

  /** Joins groups; the first longest run of at least two zeros is left out. */
  private static String joined(List<Integer> groups) {
    int start = -1;
    int length = 1;
    for (int i = 0; i < groups.size(); i++) {
      int zeros = zeros(groups, i);
      if (zeros > length) {
        start = i;
        length = zeros;
      }
    }
    return start < 0
        ? hex(groups)
        : hex(groups.subList(0, start)) + "::" + hex(groups.subList(start + length, groups.size()));
  }

  /** Counts the zero groups from an index on. */
  private static int zeros(List<Integer> groups, int from) {
    int end = from;
    while (end < groups.size() && groups.get(end) == 0) {
      end++;
    }
    return end - from;
  }

  private static String hex(List<Integer> groups) {
    return groups.stream().map(Integer::toHexString).collect(Collectors.joining(":"));
  }
}
