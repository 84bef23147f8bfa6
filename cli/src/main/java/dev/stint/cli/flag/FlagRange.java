package dev.stint.cli.flag;

import dev.stint.cli.output.UserException;
import org.jspecify.annotations.Nullable;

/** Bounds of the values of flags. */
public final class FlagRange {
  private FlagRange() {}

  /**
   * Checks that a number is positive.
   *
   * @param flag such as {@code --nodes}
   * @param value null if the flag is not given
   * @throws UserException if the value is below 1
   */
  public static void atLeastOne(String flag, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new UserException(flag + " is " + value + "; it must be at least 1");
    }
  }
}
