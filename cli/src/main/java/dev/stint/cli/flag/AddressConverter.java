package dev.stint.cli.flag;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses listen addresses: {@code 127.0.0.1:8080}, {@code [::1]:0}. */
final class AddressConverter {
  private static final Pattern FORM =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]]+):(\\d{1,5})");

  private AddressConverter() {}

  /**
   * Parses an address with its port; port 0 is any free one.
   *
   * @throws IllegalArgumentException with a message for the user if the text is malformed
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
      throw new IllegalArgumentException("unknown host \"" + parts.group(1) + "\"");
    }
    return address;
  }
}
