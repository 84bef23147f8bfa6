package dev.stint.cli.flag;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A share of a number, absolute or in percent: {@code 12}, {@code 90%}.
 *
 * @param amount a number, or hundredths
 */
public record ShareConverter(int amount, boolean percent) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(%?)");

  /** Parses shares. */
  public static final class Converter implements ITypeConverter<ShareConverter> {
    @Override
    public ShareConverter convert(String text) {
      Matcher share = TEXT.matcher(text);
      if (!share.matches()) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a number or a percentage, such as 12 or 90%");
      }
      ShareConverter found =
          new ShareConverter(Integer.parseInt(share.group(1)), !share.group(2).isEmpty());
      if (found.percent() && found.amount() > 100) {
        throw new TypeConversionException("\"" + text + "\" is more than 100%");
      }
      return found;
    }
  }

  /** Returns the least count that reaches the share of a number, rounded up. */
  public int atLeastOf(int number) {
    return percent ? (int) ((number * (long) amount + 99) / 100) : amount;
  }

  /** Returns the largest count within the share of a number, rounded down. */
  public int atMostOf(int number) {
    return percent ? (int) (number * (long) amount / 100) : amount;
  }

  @Override
  public String toString() {
    return amount + (percent ? "%" : "");
  }
}
