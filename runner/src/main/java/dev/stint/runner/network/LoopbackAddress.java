package dev.stint.runner.network;

import java.net.InetAddress;
import java.util.Set;

/**
 * Addresses of the range 127.64.0.0/10, all of which are this machine on Linux. The range holds
 * none of those that programs use by habit, such as 127.0.0.1, 127.0.0.53 and 127.0.1.1.
 */
final class LoopbackAddress {
  private static final int FIRST = 64;
  private static final int COUNT = 1 << 22;

  private LoopbackAddress() {}

  /** Returns the address of a name: always the same one, unless that is taken. */
  static String of(String name, Set<String> taken) {
    int number = Math.floorMod(spread(name.hashCode()), COUNT);
    String address = at(number);
    while (taken.contains(address) || address.endsWith(".0") || address.endsWith(".255")) {
      number = (number + 1) % COUNT;
      address = at(number);
    }
    return address;
  }

  /** True if a text is an address of the range. */
  static boolean isOne(String text) {
    try {
      byte[] bytes = InetAddress.ofLiteral(text).getAddress();
      return bytes.length == 4 && bytes[0] == 127 && (bytes[1] & 0xc0) == FIRST;
    } catch (IllegalArgumentException other) {
      return false;
    }
  }

  private static String at(int number) {
    return "127.%d.%d.%d".formatted(FIRST + (number >> 16), number >> 8 & 0xff, number & 0xff);
  }

  /** Spreads names that differ in their last character only, such as those of indexes. */
  private static int spread(int hash) {
    int mixed = hash * 0x9e3779b1;
    return mixed ^ mixed >>> 15;
  }
}
