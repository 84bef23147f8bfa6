package dev.stint.apiextensions.rule.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A version such as {@code 1.2.3-beta.4}. What follows a plus does not count. */
final class SemanticVersion extends LibraryValue implements Comparable<SemanticVersion> {
  static final CelType TYPE = OpaqueType.create("kubernetes.Semver");

  /** At most twenty digits, which 64 bits may have: longer numbers take long to be converted. */
  private static final String NUMBER = "0|[1-9][0-9]{0,19}";

  private static final String IDENTIFIER = "(?:" + NUMBER + "|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
  private static final Pattern FORM =
      Pattern.compile(
          "(%1$s)\\.(%1$s)\\.(%1$s)(?:-(%2$s(?:\\.%2$s)*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?"
              .formatted(NUMBER, IDENTIFIER));
  private static final int MAX_BITS = 64;

  private final List<BigInteger> numbers;
  private final List<String> preRelease;
  private final String text;

  private SemanticVersion(List<BigInteger> numbers, List<String> preRelease, String text) {
    this.numbers = numbers;
    this.preRelease = preRelease;
    this.text = text;
  }

  /** Parses a version; null if the text is none. */
  static @Nullable SemanticVersion parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    List<BigInteger> numbers = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      numbers.add(new BigInteger(matcher.group(i)));
    }
    String more = matcher.group(4);
    return numbers.stream().anyMatch(number -> number.bitLength() > MAX_BITS)
        ? null
        : new SemanticVersion(numbers, more == null ? List.of() : List.of(more.split("\\.")), text);
  }

  /** Parses a version that may have a "v" before it, leading zeros and fewer numbers. */
  static @Nullable SemanticVersion parseTolerantly(String text) {
    String plain = text.startsWith("v") ? text.substring(1) : text;
    List<String> parts = new ArrayList<>();
    for (String part : plain.split("\\.", 3)) {
      parts.add(withoutZeros(part));
    }
    String last = parts.getLast();
    if (parts.size() < 3 && (last.indexOf('+') >= 0 || last.indexOf('-') >= 0)) {
      return null;
    }
    while (parts.size() < 3) {
      parts.add("0");
    }
    return parse(String.join(".", parts));
  }

  private static String withoutZeros(String part) {
    int start = 0;
    while (start < part.length() - 1
        && part.charAt(start) == '0'
        && Character.isDigit(part.charAt(start + 1))) {
      start++;
    }
    return part.substring(start);
  }

  /** Returns one of the three numbers. */
  long number(int index) {
    return numbers.get(index).longValue();
  }

  @Override
  public int compareTo(SemanticVersion other) {
    for (int i = 0; i < numbers.size(); i++) {
      int order = numbers.get(i).compareTo(other.numbers.get(i));
      if (order != 0) {
        return order;
      }
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
    }
    for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
      int order = compare(preRelease.get(i), other.preRelease.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  /** Compares numbers by value, and puts them before words. */
  private static int compare(String one, String other) {
    boolean isNumber = isNumber(one);
    if (isNumber && isNumber(other)) {
      return new BigInteger(one).compareTo(new BigInteger(other));
    }
    if (isNumber || isNumber(other)) {
      return isNumber ? -1 : 1;
    }
    return Integer.signum(one.compareTo(other));
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SemanticVersion version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * numbers.hashCode() + preRelease.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
