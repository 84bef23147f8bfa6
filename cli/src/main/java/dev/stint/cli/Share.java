package dev.stint.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * So many of a number, or so much of it: {@code 12}, {@code 90%}.
 *
 * @param amount a number, or hundredths
 */
record Share(int amount, boolean percent) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(%?)");

  /** How flags become shares. */
  static final class Converter implements ITypeConverter<Share> {
    @Override
    public Share convert(String text) {
      Matcher share = TEXT.matcher(text);
      if (!share.matches()) {
        throw new TypeConversionException(
            "\"" + text + "\" is neither a number nor one such as 90%");
      }
      Share found = new Share(Integer.parseInt(share.group(1)), !share.group(2).isEmpty());
      if (found.percent() && found.amount() > 100) {
        throw new TypeConversionException("\"" + text + "\" is more than all");
      }
      return found;
    }
  }

  /** What is enough for it. */
  int atLeastOf(int number) {
    return percent ? (int) ((number * (long) amount + 99) / 100) : amount;
  }

  /** What is not more than it. */
  int atMostOf(int number) {
    return percent ? (int) (number * (long) amount / 100) : amount;
  }

  @Override
  public String toString() {
    return amount + (percent ? "%" : "");
  }
}
