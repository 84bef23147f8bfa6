package dev.stint.model.job.options;

import dev.stint.model.Quantity;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The growth of a container's memory after the container ran out of it.
 *
 * @param hundredths the factor, in hundredths
 * @param max the number of bytes up to which memory grows
 */
public record MemoryGrowth(int hundredths, long max) {
  private static final Pattern FORM =
      Pattern.compile("\\s*x(\\d{1,2}(?:\\.\\d{1,2})?)\\s*,\\s*max\\s+(\\S+)\\s*");

  /** Amounts grow to whole mebibytes, so that people can read them. */
  private static final long MEBIBYTE = 1L << 20;

  private static final long LARGEST = 1L << 50;

  /**
   * Reads growth such as {@code x1.5, max 16Gi}.
   *
   * @throws IllegalArgumentException with a complaint that follows the annotation's name
   */
  static MemoryGrowth parse(String text, JobShape job) {
    String form = "needs a factor and a maximum, such as \"x1.5, max 16Gi\"";
    Matcher parts = FORM.matcher(text);
    OptionForms.require(parts.matches(), form);
    Quantity max = Quantity.parse(parts.group(2));
    if (max == null || !max.isWhole()) {
      throw new IllegalArgumentException(form);
    }
    int hundredths = new BigDecimal(parts.group(1)).movePointRight(2).intValueExact();
    OptionForms.require(
        hundredths > 100
            && hundredths <= 1000
            && max.value().compareTo(BigDecimal.valueOf(MEBIBYTE)) >= 0
            && max.value().compareTo(BigDecimal.valueOf(LARGEST)) <= 0,
        "needs a factor above 1 up to 10 and a maximum from 1Mi up to 1Pi");
    OptionForms.require(
        !job.restarts(), "needs restartPolicy Never: a container that restarts keeps its memory");
    OptionForms.require(
        !job.sharesMemory(),
        "does not apply to memory of the whole pod (spec.template.spec.resources)");
    return new MemoryGrowth(hundredths, max.value().longValueExact());
  }

  /** Returns the bytes that follow an amount that was too small; never less than it. */
  public long next(long bytes) {
    if (bytes <= 0 || bytes >= max) {
      return bytes;
    }
    long grown = Math.ceilDiv(bytes * hundredths, 100);
    return Math.min(max, Math.ceilDiv(grown, MEBIBYTE) * MEBIBYTE);
  }
}
