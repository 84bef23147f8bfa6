package dev.stint.model.field;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address. It is read and told without a resolver.
 *
 * @param bytes 4 or 16 of them; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their contents
public record IpAddress(byte[] bytes) {
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final int IPV6_GROUPS = 8;

  /** Parses an address; null if it is none. */
  public static @Nullable IpAddress parse(String text) {
    if (Formats.ipAddress(text) != null) {
      return null;
    }
    if (text.indexOf(':') < 0) {
      return new IpAddress(ipv4(text));
    }
    int gap = text.indexOf("::");
    byte[] head = groups(gap < 0 ? text : text.substring(0, gap));
    byte[] tail = groups(gap < 0 ? "" : text.substring(gap + 2));
    byte[] bytes = Arrays.copyOf(head, IPV6_BYTES);
    System.arraycopy(tail, 0, bytes, IPV6_BYTES - tail.length, tail.length);
    return new IpAddress(bytes);
  }

  private static byte[] ipv4(String text) {
    byte[] bytes = new byte[IPV4_BYTES];
    int at = 0;
    for (String part : text.split("\\.", -1)) {
      bytes[at++] = (byte) Integer.parseInt(part);
    }
    return bytes;
  }

  /** Reads groups between colons, the last of which may be an IPv4 address. */
  private static byte[] groups(String text) {
    byte[] bytes = new byte[IPV6_BYTES];
    int length = 0;
    for (String group : text.isEmpty() ? new String[0] : text.split(":", -1)) {
      if (group.indexOf('.') >= 0) {
        byte[] last = ipv4(group);
        System.arraycopy(last, 0, bytes, length, last.length);
        length += last.length;
      } else {
        int value = Integer.parseInt(group, 16);
        bytes[length++] = (byte) (value >> 8);
        bytes[length++] = (byte) value;
      }
    }
    return Arrays.copyOf(bytes, length);
  }

  public boolean isIpv4() {
    return bytes.length == IPV4_BYTES;
  }

  /** Returns how many bits the address has. */
  public int bits() {
    return bytes.length * Byte.SIZE;
  }

  /** True for 0.0.0.0 and ::. */
  public boolean isUnspecified() {
    return isZeroBefore(bytes.length);
  }

  /** True for 127.0.0.0/8 and ::1. */
  public boolean isLoopback() {
    return isIpv4() ? at(0) == 127 : isZeroBefore(IPV6_BYTES - 1) && at(IPV6_BYTES - 1) == 1;
  }

  /** True for 169.254.0.0/16 and fe80::/10. */
  public boolean isLinkLocalUnicast() {
    return isIpv4() ? at(0) == 169 && at(1) == 254 : at(0) == 0xfe && (at(1) & 0xc0) == 0x80;
  }

  /** True for 224.0.0.0/24 and ff02::/16, whatever the flags of the latter are. */
  public boolean isLinkLocalMulticast() {
    return isIpv4()
        ? at(0) == 224 && at(1) == 0 && at(2) == 0
        : at(0) == 0xff && (at(1) & 0x0f) == 2;
  }

  /** True for 224.0.0.0/4 and ff00::/8. */
  public boolean isMulticast() {
    return isIpv4() ? (at(0) & 0xf0) == 0xe0 : at(0) == 0xff;
  }

  /** True for addresses that may be those of one host somewhere, private ones too. */
  public boolean isGlobalUnicast() {
    boolean isBroadcast = isIpv4() && Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
    return !isBroadcast
        && !isUnspecified()
        && !isLoopback()
        && !isMulticast()
        && !isLinkLocalUnicast();
  }

  /** Returns this address without the bits behind a prefix of that many bits. */
  public IpAddress masked(int prefix) {
    byte[] masked = bytes.clone();
    for (int i = 0; i < masked.length; i++) {
      int kept = Math.clamp(prefix - i * 8L, 0, Byte.SIZE);
      masked[i] &= (byte) (0xff << (Byte.SIZE - kept));
    }
    return new IpAddress(masked);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the canonical text (RFC 5952). */
  @Override
  public String toString() {
    return isIpv4() ? at(0) + "." + at(1) + "." + at(2) + "." + at(3) : ipv6();
  }

  private String ipv6() {
    int start = -1;
    int longest = 1;
    for (int i = 0; i < IPV6_GROUPS; i++) {
      int zeros = zerosFrom(i);
      if (zeros > longest) {
        start = i;
        longest = zeros;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < IPV6_GROUPS; i++) {
      if (i == start) {
        text.append("::");
        i += longest - 1;
      } else {
        boolean needsColon = !text.isEmpty() && text.charAt(text.length() - 1) != ':';
        text.append(needsColon ? ":" : "").append(Integer.toHexString(group(i)));
      }
    }
    return text.toString();
  }

  private int zerosFrom(int index) {
    int count = 0;
    while (index + count < IPV6_GROUPS && group(index + count) == 0) {
      count++;
    }
    return count;
  }

  private int group(int index) {
    return at(2 * index) << 8 | at(2 * index + 1);
  }

  private boolean isZeroBefore(int end) {
    for (int i = 0; i < end; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private int at(int index) {
    return bytes[index] & 0xff;
  }
}
