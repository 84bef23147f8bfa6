package dev.stint.apiextensions.schema;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Limits of texts.
 *
 * @param pattern a regular expression of RE2; "" for none
 * @param compiled null if there is no pattern, or it is not one
 * @param patternFault the reason for which it is not one; "" if it is
 * @param format a format's name; "" for none
 */
public record TextLimits(
    @Nullable Long minLength,
    @Nullable Long maxLength,
    String pattern,
    @Nullable Pattern compiled,
    String patternFault,
    String format) {
  public static final TextLimits NONE = new TextLimits(null, null, "", null, "", "");
}
