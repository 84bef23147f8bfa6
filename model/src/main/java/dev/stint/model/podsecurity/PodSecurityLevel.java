package dev.stint.model.podsecurity;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The levels of the Pod Security Standards, from the least to the most restrictive. */
public enum PodSecurityLevel {
  PRIVILEGED,
  BASELINE,
  RESTRICTED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the level of this name; null if there is none. */
  public static @Nullable PodSecurityLevel of(String text) {
    for (PodSecurityLevel level : values()) {
      if (level.text.equals(text)) {
        return level;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return text;
  }
}
