package dev.stint.model.podsecurity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of Kubernetes whose Pod Security Standards apply.
 *
 * @param minor the minor version; that of {@link #LATEST} is above all others
 */
public record PolicyVersion(int minor) {
  public static final PolicyVersion LATEST = new PolicyVersion(Integer.MAX_VALUE);

  private static final String LATEST_TEXT = "latest";
  private static final Pattern NUMBERED = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

  /** Parses {@code latest} or {@code v1.x}; null if the text is neither. */
  public static @Nullable PolicyVersion parse(String text) {
    if (text.equals(LATEST_TEXT)) {
      return LATEST;
    }
    Matcher numbered = NUMBERED.matcher(text);
    return numbered.matches() ? new PolicyVersion(Integer.parseInt(numbered.group(1))) : null;
  }

  @Override
  public String toString() {
    return minor == LATEST.minor ? LATEST_TEXT : "v1." + minor;
  }
}
