package dev.stint.apiextensions.rule.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.model.field.Formats;
import dev.stint.model.field.IpAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An IP address with the length of its network's prefix. */
final class Cidr extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("net.CIDR");

  private final IpAddress address;
  private final int prefix;

  private Cidr(IpAddress address, int prefix) {
    this.address = address;
    this.prefix = prefix;
  }

  /** Parses a network; null if it is none. */
  static @Nullable Cidr parse(String text) {
    int slash = text.indexOf('/');
    Address address = slash < 0 ? null : Address.parse(text.substring(0, slash));
    return address == null || Formats.cidr(text) != null
        ? null
        : new Cidr(address.address(), Integer.parseInt(text.substring(slash + 1)));
  }

  Address ip() {
    return new Address(address);
  }

  int prefix() {
    return prefix;
  }

  Cidr masked() {
    return new Cidr(address.masked(prefix), prefix);
  }

  boolean contains(IpAddress other) {
    return address.isIpv4() == other.isIpv4()
        && address.masked(prefix).equals(other.masked(prefix));
  }

  boolean contains(Cidr other) {
    return prefix <= other.prefix && contains(other.address);
  }

  /** Returns how many bytes the prefix has. */
  @Override
  public long size() {
    return Math.ceilDiv(prefix, (long) Byte.SIZE);
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cidr network
        && address.equals(network.address)
        && prefix == network.prefix;
  }

  @Override
  public int hashCode() {
    return Objects.hash(address, prefix);
  }

  @Override
  public String toString() {
    return address + "/" + prefix;
  }
}
