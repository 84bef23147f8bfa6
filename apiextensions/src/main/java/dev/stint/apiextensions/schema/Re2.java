package dev.stint.apiextensions.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** Compiles regular expressions of RE2, whose matching takes linear time. */
final class Re2 {
  private Re2() {}

  /** Returns the pattern, or the reason for which it is none, and no other limits. */
  static TextLimits limits(String pattern) {
    if (pattern.isEmpty()) {
      return TextLimits.NONE;
    }
    try {
      return new TextLimits(null, null, pattern, Pattern.compile(pattern), "", "");
    } catch (PatternSyntaxException fault) {
      return new TextLimits(null, null, pattern, null, String.valueOf(fault.getMessage()), "");
    }
  }
}
