package dev.stint.apiextensions.rule.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.model.field.IpAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An IP address in a rule. */
final class Address extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("net.IP");

  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private final IpAddress address;

  Address(IpAddress address) {
    this.address = address;
  }

  /** Parses an address; null if it is none, or an IPv4 address in the form of an IPv6 address. */
  static @Nullable Address parse(String text) {
    IpAddress address = IpAddress.parse(text);
    return address == null || isMapped(address) ? null : new Address(address);
  }

  private static boolean isMapped(IpAddress address) {
    return !address.isIpv4()
        && Arrays.equals(Arrays.copyOf(address.bytes(), MAPPED.length), MAPPED);
  }

  IpAddress address() {
    return address;
  }

  @Override
  public long size() {
    return address.bytes().length;
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Address that && address.equals(that.address);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
