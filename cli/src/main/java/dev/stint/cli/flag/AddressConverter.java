package dev.stint.cli.flag;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses to listen on, as flags take them: {@code 127.0.0.1:8080}, {@code [::1]:0}. */
final class AddressConverter {
  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]]+):(\\d{1,5})");

  private AddressConverter() {}

  /**
   * Reads an address with its port; 0 is any free one.
   *
   * @throws IllegalArgumentException with a message for the user, where it is not one
   */
  static InetSocketAddress parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65535) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a host and a port, such as 127.0.0.1:8080");
    }
    InetSocketAddress address =
        new InetSocketAddress(parts.group(1), Integer.parseInt(parts.group(2)));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("there is no host \"" + parts.group(1) + "\"");
    }
    return address;
  }
}
